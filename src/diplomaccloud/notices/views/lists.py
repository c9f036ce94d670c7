"""The list of a person's notices."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from diplomaccloud.notices.bell import list_notices, mark_seen
from diplomaccloud.notices.middleware import is_prefetch
from diplomaccloud.notices.views.members import member_id, member_required
from diplomaccloud.shared.responses import page_number


@require_safe
@member_required
def notice_list(request: HttpRequest) -> HttpResponse:
    """List the notices, newest first. Afterward, those on the page count as read."""
    user_id, now = member_id(request), timezone.now()
    listed = list_notices(user_id, page=page_number(request), now=now)
    response = render(request, "notices/list.html", {"list": listed})
    if any(line.is_new for line in listed.lines) and not is_prefetch(request):
        mark_seen(user_id=user_id, up_to=listed.newest, now=now)
    return response
