"""E-mail with notices and confirmation e-mail, both sent by the mail queue."""

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from diplomaccloud.accounts.mail_queue import build_message_id
from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.notices.delivery import compose
from diplomaccloud.notices.destinations import make_confirmation
from diplomaccloud.notices.kinds import Channel, Group, NoticeKind, find_row, is_offered
from diplomaccloud.notices.models import Delivery, Destination
from diplomaccloud.notices.preferences import make_unsubscribe_token, read_preferences
from diplomaccloud.notices.wording import SHORT_LABELS


def send_notices(mail: OutgoingMail) -> None:
    """Send the notices of an e-mail, unless none of them is still useful.

    Each try decides this again. The Message-ID stays the same.
    """
    now = timezone.now()
    rows = Delivery.objects.filter(mail=mail.pk).select_related("notice", "destination")
    rows = rows.exclude(destination__confirmed_at=None).order_by("pk")
    texts, kinds = [], dict[NoticeKind, None]()
    for row in rows:
        wishes = read_preferences([row.notice.user_id])[row.notice.user_id]
        if text := compose(row.notice, row.destination, wishes, now=now)[0]:
            texts.append(text)
            kinds[find_row(NoticeKind(row.notice.kind))] = None
    if not texts:
        return
    stop, stops = "", [kind for kind in kinds if is_offered(kind, Group.EMAIL)]
    if stops:
        token = make_unsubscribe_token(mail.user_id or 0, stops)
        stop = mail.origin + reverse("notices:unsubscribe", args=[token])
    context = {
        "notices": [{"text": text, "url": mail.origin + text.path} for text in texts],
        "stops": {name: mail.origin + path for text in texts for name, path in text.stops}.items(),
        "stop": stop,
        "kinds": " and ".join(SHORT_LABELS[kind] for kind in stops),
        "settings": mail.origin + reverse("notices:settings"),
    }
    subject = texts[0].title + (f", and {len(texts) - 1} more" if len(texts) > 1 else "")
    _send(mail, subject=subject, body=render_to_string("notices/mail.txt", context), stop=stop)


def send_confirmation(mail: OutgoingMail) -> None:
    """Ask the owner of an address to confirm it."""
    row = Destination.objects.filter(
        user=mail.user_id, channel=Channel.EMAIL, address=mail.recipient, confirmed_at=None
    ).first()
    if row is None:
        return
    path = reverse("notices:confirm", args=[make_confirmation(row)])
    context = {"url": mail.origin + path, "name": row.user.screen_name}
    body = render_to_string("notices/confirmation.txt", context)
    _send(mail, subject="Confirm your e-mail address", body=body)


def _send(mail: OutgoingMail, *, subject: str, body: str, stop: str = "") -> None:
    headers = {"Message-ID": build_message_id(mail), "Auto-Submitted": "auto-generated"}
    if stop:
        # RFC 8058: mail programs send a POST to this address without logging in.
        headers |= {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    EmailMessage(subject, body, to=[mail.recipient], headers=headers).send()
