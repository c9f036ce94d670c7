import pytest


@pytest.fixture
def small_pictures(monkeypatch, settings, tmp_path):
    """Draw cards at a fraction of their width, into a data folder of the test's own."""
    from diplomaccloud.maps import card_pictures, pictures

    settings.DATA_DIR = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "diplomaccloud.shared.files.FolderStorage",
            "OPTIONS": {"location": str(tmp_path)},
        },
    }
    monkeypatch.setattr(pictures, "CARD_WIDTH", 24)
    monkeypatch.setattr(card_pictures, "CARD_WIDTH", 24)
    return tmp_path / "cards"
