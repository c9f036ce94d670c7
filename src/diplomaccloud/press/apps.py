"""The app `press`."""

from django.apps import AppConfig

from diplomaccloud.press.table.addresses import AttachmentKind


class PressConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.press"
    label = "press"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the reader of messages how each kind of attachment is read.

        Maps, proposals and documents are sent in messages, so the code of messages imports none of
        them. To add a kind of attachment, extend this list, and the lists in
        `page.page` and `page.forms`.
        """
        from diplomaccloud.press.conversations.read import READERS  # noqa: PLC0415
        from diplomaccloud.press.documents.read import read_documents  # noqa: PLC0415
        from diplomaccloud.press.maps.read import read_maps  # noqa: PLC0415
        from diplomaccloud.press.proposals.read import read_proposals  # noqa: PLC0415

        READERS[AttachmentKind.MAP] = read_maps
        READERS[AttachmentKind.PROPOSAL] = read_proposals
        READERS[AttachmentKind.DOCUMENT] = read_documents
