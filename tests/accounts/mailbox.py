"""A mail server that stores what it receives: only as much SMTP as a client needs."""

import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy


def noop():
    """Wait for nothing."""


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 here")
        while line := self.rfile.readline():
            verb = line.split()[0].upper()
            if verb == b"DATA":
                self.say("354 continue")
                self.server.received.append(message_from_bytes(self.text(), policy=policy.default))
            self.server.hold.get(verb.decode(), noop)()
            self.say(self.server.answers.get(verb, "250 fine"))
            if verb == b"QUIT":
                return

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def text(self):
        lines = iter(self.rfile.readline, b".\r\n")
        return b"".join(line.removeprefix(b".") for line in lines)


@contextmanager
def mail_server(hold=None, **answers):
    """Give the port of a mail server and the messages it has received.

    `answers` replace the usual replies by SMTP verb; `hold` has what to wait for by verb.
    """
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Session) as server:
        server.daemon_threads, server.received = True, []
        server.hold = hold or {}
        server.answers = {verb.encode(): text for verb, text in answers.items()}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1], server.received
        finally:
            server.shutdown()
