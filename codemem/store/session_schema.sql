-- Sessions: the turns of conversations, as they were said. User data, like memories: never dropped, never deduplicated.

CREATE TABLE session (
  tenant       TEXT    NOT NULL,
  project      TEXT    NOT NULL,
  id           TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,               -- UTC milliseconds
  updated_at   INTEGER NOT NULL,
  summary      TEXT    NOT NULL DEFAULT '',    -- Markdown
  summary_upto INTEGER NOT NULL DEFAULT 0,     -- the last message that the summary covers
  compacted_upto INTEGER NOT NULL DEFAULT 0,   -- the last message that memories were taken from
  PRIMARY KEY (tenant, project, id)
) WITHOUT ROWID;

CREATE TABLE message (
  number     INTEGER PRIMARY KEY AUTOINCREMENT, -- of the row, for the full-text index
  tenant     TEXT    NOT NULL,
  project    TEXT    NOT NULL,
  session    TEXT    NOT NULL,
  seq        INTEGER NOT NULL,                  -- 1, 2, 3 … within the session, never reused
  id         TEXT    NOT NULL UNIQUE,           -- UUIDv7
  role       TEXT    NOT NULL,                  -- system, user, assistant, tool
  kind       TEXT    NOT NULL,                  -- chat, tool_call, tool_result, event, opaque
  text       TEXT    NOT NULL,                  -- cleaned and redacted
  tokens     INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  source_id  TEXT    NOT NULL DEFAULT '',       -- id of the message where it was imported from
  UNIQUE (tenant, project, session, seq),
  FOREIGN KEY (tenant, project, session) REFERENCES session (tenant, project, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX message_source ON message (tenant, project, session, source_id) WHERE source_id <> '';

-- The words of each message, analysed like code and memories (codemem/text.py), so that raw turns are found too.
CREATE VIRTUAL TABLE message_terms USING fts5 (terms, tokenize = "unicode61 remove_diacritics 0 tokenchars '_#$'");
CREATE TRIGGER message_removed AFTER DELETE ON message
  BEGIN DELETE FROM message_terms WHERE rowid = OLD.number; END;
