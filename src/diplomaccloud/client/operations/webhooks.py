"""Webhooks: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import (
    WebhookGone,
    WebhookList,
    WebhookMade,
    WebhookState,
    WebhookTested,
)


class Webhooks:
    """The operations of `webhooks`."""

    @operation
    def list_webhooks(self) -> Call[WebhookList]:
        """List your webhooks."""
        return Call("GET", "/me/webhooks", WebhookList)

    @operation
    def make_webhook(
        self, *, address: str, messages: bool | None = None, key: str = ""
    ) -> Call[WebhookMade]:
        """Make a webhook by the rules of Standard Webhooks. The same address again is the same one.

        `messages` needs the scope `press`, too.
        """
        return Call(
            "POST",
            "/me/webhooks",
            WebhookMade,
            body={"address": address, "messages": messages},
            key=key,
        )

    @operation
    def delete_webhook(self, webhook: str, *, key: str = "") -> Call[WebhookGone]:
        """Delete a webhook; what waits for it is not sent."""
        return Call("DELETE", fill("/me/webhooks/{}", webhook), WebhookGone, key=key)

    @operation
    def test_webhook(self, webhook: str, *, key: str = "") -> Call[WebhookTested]:
        """Send a call of the type `test` within a minute."""
        return Call("POST", fill("/me/webhooks/{}/test", webhook), WebhookTested, key=key)

    @operation
    def resume_webhook(self, webhook: str, *, key: str = "") -> Call[WebhookState]:
        """Switch a webhook on again that was switched off because no call had arrived for a day."""
        return Call("POST", fill("/me/webhooks/{}/switch-on", webhook), WebhookState, key=key)

    @operation
    def renew_webhook(self, webhook: str, *, key: str = "") -> Call[WebhookMade]:
        """Replace the secret. For a day, calls have a signature with each of the two."""
        return Call("POST", fill("/me/webhooks/{}/new-secret", webhook), WebhookMade, key=key)
