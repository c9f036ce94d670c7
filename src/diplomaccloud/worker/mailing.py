"""The worker thread that sends mail, so that a slow mail server does not delay other work."""

from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.shared.round_threads import RoundThread
from diplomaccloud.shared.site_clock import site_clock
from diplomaccloud.worker.task_rows import run_waiting_tasks


class MailThread(RoundThread):
    """Sends mail in one worker process until stopped."""

    def __init__(self, *, pause: float = 1.0) -> None:
        super().__init__("mail", pause=pause)

    def run_once(self) -> int:
        """Send new mail, then retry failed and lost mail; return how many were sent."""
        return run_waiting_tasks("notices") + send_due_mail(now=site_clock.now)
