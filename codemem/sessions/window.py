"""The window: which part of a conversation goes into a prompt of so many tokens. Pure; stored rows are never changed.

Rules, in order. System messages are kept. The rest is seen as turns: equal roles in a row are one turn, tool messages
belong to the assistant turn they answer. A window is a contiguous run of turns that ends with the newest and begins with
a user turn; it is the longest one that fits. When something was left out, the summary stands in its place, cut by lines
to its own budget. When not even the last exchange fits, its longest texts keep their ends around a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

MESSAGES_PER_ROUND = 3
"""A round is a user turn, what was called, and the answer; longer tool traffic inside it is left out."""
SUMMARY_TITLE = "[Summary of the earlier conversation]"
STALE_TITLE = "[Summary of the earlier conversation; newer messages are not in it]"
CUT_MARK = "\n…[+{} characters]…\n"
MIN_CUT_CHARACTERS = 16
"""Below this a cut text says nothing; the message is left out."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Message:
    """One stored turn of a conversation; `seq` grows by one per session."""

    seq: int
    role: str
    """system, user, assistant or tool."""
    text: str
    kind: str = "chat"
    id: str = ""
    created_at: int = 0


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """One message of the window, made of the stored messages `seqs`; `cut` when its middle was left out."""

    role: str
    text: str
    seqs: tuple[int, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    messages: tuple[WindowMessage, ...]
    tokens: int
    trimmed: int
    """Stored messages that are not in the window."""
    summary_used: bool = False
    summary_stale: bool = False


def window(
    messages: Sequence[Message],
    max_tokens: int,
    count: Count,
    *,
    summary: str = "",
    summary_upto: int = 0,
    summary_tokens: int = 2_000,
    rounds: int | None = None,
) -> Window:
    """Choose what of `messages` (oldest first) fits into `max_tokens`; `summary` covers those up to seq `summary_upto`."""
    system = _merge([_one(message) for message in messages if message.role == "system"])
    turns = _turns([message for message in messages if message.role != "system"])
    if rounds is not None:
        turns = _last_rounds(turns, rounds)
    turns = _from_first_user(turns)
    total = len(messages)
    everything = _merge([*system, *(item for turn in turns for item in turn)])
    if _size(everything, count) <= max_tokens:
        kept = sum(len(item.seqs) for item in everything)
        if rounds is None or not summary.strip() or kept == total:
            return Window(tuple(everything), _size(everything, count), total - kept)

    head = _fit_texts(system, max_tokens, count)
    room = max_tokens - _size(head, count)
    brief = _summary(summary, min(summary_tokens, room), count)
    tail = _longest_tail(turns, room - _size(brief, count), count)
    if not tail and brief:
        # The last exchange matters more than a summary of what came before it.
        brief = []
        tail = _longest_tail(turns, room, count)
    stale = bool(brief) and _misses(summary_upto, turns, tail)
    if brief and not stale:
        brief = [replace(brief[0], text=brief[0].text.replace(STALE_TITLE, SUMMARY_TITLE, 1))]
    chosen = _merge([*head, *brief, *tail])
    while chosen and _size(chosen, count) > max_tokens:
        # Merging can cost a token or two more than its parts did; give up the least needed part.
        brief, head, tail = ([], head, tail) if brief else ((brief, [], tail) if head else (brief, head, []))
        chosen = _merge([*head, *brief, *tail])
    kept = sum(len(item.seqs) for item in chosen)
    return Window(tuple(chosen), _size(chosen, count), total - kept, bool(brief), stale and bool(brief))


def _one(message: Message) -> WindowMessage:
    return WindowMessage(message.role, message.text, (message.seq,))


def _turns(messages: Sequence[Message]) -> list[list[WindowMessage]]:
    """Group into turns: [user] or [assistant, tool…]; equal neighbours become one message."""
    turns: list[list[WindowMessage]] = []
    for message in messages:
        item = _one(message)
        if turns and message.role == turns[-1][-1].role:
            turns[-1][-1] = _joined(turns[-1][-1], item)
        elif turns and message.role == "tool" and turns[-1][0].role != "user":
            turns[-1].append(item)
        else:
            turns.append([item])
    return turns


def _joined(first: WindowMessage, second: WindowMessage) -> WindowMessage:
    return replace(
        first, text=f"{first.text}\n\n{second.text}", seqs=first.seqs + second.seqs, cut=first.cut or second.cut
    )


def _merge(items: Sequence[WindowMessage]) -> list[WindowMessage]:
    """Join equal neighbours, so that roles alternate."""
    merged: list[WindowMessage] = []
    for item in items:
        if merged and merged[-1].role == item.role:
            merged[-1] = _joined(merged[-1], item)
        else:
            merged.append(item)
    return merged


def _from_first_user(turns: list[list[WindowMessage]]) -> list[list[WindowMessage]]:
    for index, turn in enumerate(turns):
        if turn[0].role == "user":
            return turns[index:]
    return []


def _last_rounds(turns: list[list[WindowMessage]], rounds: int) -> list[list[WindowMessage]]:
    """Keep the newest `rounds` user turns with what followed each, at most three messages a round."""
    if rounds <= 0:
        return []
    starts = [index for index, turn in enumerate(turns) if turn[0].role == "user"][-rounds:]
    ends = [*starts[1:], len(turns)]
    kept: list[list[WindowMessage]] = []
    for start, end in zip(starts, ends, strict=False):
        answers: list[list[WindowMessage]] = []
        room = MESSAGES_PER_ROUND - 1
        for turn in reversed(turns[start + 1 : end]):
            if len(turn) > room:
                break
            answers.insert(0, turn)
            room -= len(turn)
        kept += [turns[start], *answers]
    return kept


def _longest_tail(turns: list[list[WindowMessage]], room: int, count: Count) -> list[WindowMessage]:
    """Return the longest run of newest turns that begins with a user turn and fits, else the last exchange cut to fit."""
    best: list[WindowMessage] = []
    start = len(turns)
    while start > 0:
        start -= 1
        if turns[start][0].role != "user":
            continue
        run = _merge([item for turn in turns[start:] for item in turn])
        if _size(run, count) > room:
            return best or _fit_texts(run, room, count)
        best = run
    return best


def _fit_texts(items: list[WindowMessage], room: int, count: Count) -> list[WindowMessage]:
    """Cut the longest texts in the middle until all fit; nothing when there is no room to say anything."""
    items = list(items)
    while items and _size(items, count) > room:
        longest = max(range(len(items)), key=lambda index: count(items[index].text))
        others = _size(items, count) - count(items[longest].text)
        text = _cut(items[longest].text, room - others, count)
        if not text or text == items[longest].text:
            return []
        items[longest] = replace(items[longest], text=text, cut=True)
    return items


def _cut(text: str, room: int, count: Count) -> str:
    """Keep both ends of `text` around a mark so that it fits into `room` tokens, empty when it cannot."""
    low, high = 0, len(text) // 2
    best = ""
    while low <= high:
        half = (low + high) // 2
        candidate = text[:half] + CUT_MARK.format(len(text) - 2 * half) + (text[-half:] if half else "")
        if count(candidate) <= room and len(candidate) < len(text):
            best, low = candidate, half + 1
        else:
            high = half - 1
    return best if len(best) >= MIN_CUT_CHARACTERS + len(CUT_MARK) else ""


def _summary(summary: str, room: int, count: Count) -> list[WindowMessage]:
    """Return the summary cut by lines to `room` tokens, under the longer of the two titles."""
    lines = summary.strip().split("\n") if summary.strip() and room > 0 else []
    while lines:
        text = "\n".join([STALE_TITLE, *lines])
        if count(text) <= room:
            return [WindowMessage("system", text)]
        lines.pop()
    return []


def _misses(upto: int, turns: list[list[WindowMessage]], tail: list[WindowMessage]) -> bool:
    """Say whether a trimmed turn is newer than what the summary covers."""
    kept = {seq for item in tail for seq in item.seqs}
    return any(seq > upto and seq not in kept for turn in turns for item in turn for seq in item.seqs)


def _size(items: Sequence[WindowMessage], count: Count) -> int:
    return sum(count(item.text) for item in items)
