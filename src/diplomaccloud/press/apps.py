"""The app `press`."""

from django.apps import AppConfig

from diplomaccloud.press.addresses import AttachmentKind


class PressConfig(AppConfig):
    """Configuration of the app."""

    name = "diplomaccloud.press"
    label = "press"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the reader of messages how each kind of attachment is read.

        Maps, proposals and documents are sent in messages, so the code of messages imports none of
        them. To add a kind of attachment, extend this list, and the lists in
        `presenters.attachments` and `forms.attachments`.
        """
        from diplomaccloud.press.viewpoint.attachments import READERS  # noqa: PLC0415
        from diplomaccloud.press.viewpoint.documents import read_documents  # noqa: PLC0415
        from diplomaccloud.press.viewpoint.maps import read_maps  # noqa: PLC0415
        from diplomaccloud.press.viewpoint.proposals import read_proposals  # noqa: PLC0415

        READERS[AttachmentKind.MAP] = read_maps
        READERS[AttachmentKind.PROPOSAL] = read_proposals
        READERS[AttachmentKind.DOCUMENT] = read_documents
