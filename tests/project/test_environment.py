import stat

from diplomaccloud.project import environment


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.delenv("DIPLOMACCLOUD_SECRET_KEY")
    key = environment.secret_key(tmp_path)
    assert len(key) > 50
    assert environment.secret_key(tmp_path) == key
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_given_key_is_used_and_nothing_written(tmp_path, monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_SECRET_KEY", "given")
    assert environment.secret_key(tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


def test_words_and_flags(monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "a.example, b.example")
    monkeypatch.setenv("DIPLOMACCLOUD_HTTPS", "Yes")
    assert environment.words("ALLOWED_HOSTS") == ["a.example", "b.example"]
    assert environment.flag("HTTPS")
    assert not environment.flag("DEBUG")
