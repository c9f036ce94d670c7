"""Documents: texts shown to chosen seats, and the signatures that the site vouches for."""

from django.db import models

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.table.models import Message


class Document(models.Model):
    """A text that its author may change until it is first signed, at `fixed_at`.

    `changed_at` is when the text was last changed, NULL if it never was. `seat` and `tenure` are
    the author's and are not shown to anyone else, because the site vouches only for signatures.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()
    fixed_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"document {self.pk}"


class DocumentCopy(models.Model):
    """A message that shows a document."""

    message = models.OneToOneField(Message, on_delete=models.PROTECT, related_name="document")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="copies")

    def __str__(self) -> str:
        return f"{self.document_id} in {self.message_id}"


class Signature(models.Model):
    """The signature of a seat under a document, in a phase; never changed."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="signatures")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", db_index=False)
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+", db_index=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("document", "seat"), name="document_signature_seat"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat_id} under {self.document_id}"
