"""Headers that protect pages from other sites."""


def test_pages_of_members_are_isolated_and_public_pages_start_fast(client, cast):
    """A visitor's page can share a browser process with the site that linked to it."""
    for path in ("/", "/games/", "/accounts/login/"):
        response = client.get(path)
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert "Cross-Origin-Opener-Policy" not in response.headers
    member = cast.client("alice").get("/")
    assert member.headers["Cross-Origin-Opener-Policy"] == "same-origin"
