from io import StringIO

from django.core.management import call_command


def test_the_migrations_make_what_the_models_say(db):
    out = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=out)
    assert out.getvalue() == "No changes detected\n"


def test_django_finds_nothing_wrong(db):
    call_command("check", fail_level="WARNING")
