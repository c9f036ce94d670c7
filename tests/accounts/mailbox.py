"""A mail server that keeps what it is sent: as much of SMTP as a client needs, and no more."""

import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 here")
        while line := self.rfile.readline():
            verb = line.split()[0].upper()
            if verb == b"DATA":
                self.say("354 go on")
                self.server.kept.append(message_from_bytes(self.text(), policy=policy.default))
            self.say(self.server.answers.get(verb, "250 fine"))
            if verb == b"QUIT":
                return

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def text(self):
        lines = iter(self.rfile.readline, b".\r\n")
        return b"".join(line.removeprefix(b".") for line in lines)


@contextmanager
def mail_server(**answers):
    """Give the port of a mail server and the messages it has kept; `answers` differ by verb."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Session) as server:
        server.daemon_threads, server.kept = True, []
        server.answers = {verb.encode(): text for verb, text in answers.items()}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1], server.kept
        finally:
            server.shutdown()
