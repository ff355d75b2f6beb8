-- A store of the first memory layer (no sessions yet) and of an index layer before this version.
BEGIN TRANSACTION;
CREATE TABLE call (
  chunk_id     INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,                -- evaluation order, from 1
  callee       TEXT    NOT NULL,
  receiver     TEXT    NOT NULL DEFAULT '',
  line         INTEGER NOT NULL,
  mark         TEXT    NOT NULL DEFAULT '',
  repeat       INTEGER NOT NULL DEFAULT 1,
  certainty    TEXT    NOT NULL,
  module       TEXT    NOT NULL DEFAULT '',
  target_path  TEXT,
  target_name  TEXT,                            -- qualified name
  target_ordinal INTEGER,
  candidates   TEXT    NOT NULL DEFAULT '',     -- JSON list of [path, qualified name, ordinal]
  passes       INTEGER NOT NULL DEFAULT 1,      -- 0 where an error value of the callee is not handed on
  guards       TEXT    NOT NULL DEFAULT '',     -- JSON list of [types, rethrows, scope], innermost first
  PRIMARY KEY (chunk_id, position)
) WITHOUT ROWID;
CREATE TABLE chunk (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id        INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  kind           TEXT    NOT NULL,
  name           TEXT    NOT NULL,
  names          TEXT    NOT NULL DEFAULT '',   -- one a line when one range defines several names
  qualified_name TEXT    NOT NULL,
  ordinal        INTEGER NOT NULL,
  part           INTEGER NOT NULL DEFAULT 0,
  start_line     INTEGER NOT NULL,
  end_line       INTEGER NOT NULL,
  spans          TEXT    NOT NULL DEFAULT '',   -- "3-9 14-20": its own lines; '' start to end, '-' none
  signature      TEXT    NOT NULL DEFAULT '',
  doc            TEXT    NOT NULL DEFAULT '',
  parent         TEXT    NOT NULL DEFAULT '',
  facts          BLOB    NOT NULL,              -- JSON: parameters, result, extends, bindings, modifiers, calls and facts as parsed
  partial        INTEGER NOT NULL DEFAULT 0,
  content_hash   TEXT    NOT NULL,
  interface_hash TEXT    NOT NULL,
  card_hash      BLOB,                          -- key of its vector; NULL until the card is built
  segment        INTEGER                        -- where its live lexical document stands; NULL until it is analysed
);
CREATE TABLE dead (segment INTEGER NOT NULL, chunk_id INTEGER NOT NULL, PRIMARY KEY (segment, chunk_id)) WITHOUT ROWID;
CREATE TABLE fact (
  chunk_id INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
  role     TEXT    NOT NULL,
  type     TEXT    NOT NULL,
  text     TEXT    NOT NULL,
  line     INTEGER NOT NULL,
  source   TEXT    NOT NULL,
  via      TEXT,
  handled  INTEGER NOT NULL DEFAULT 0           -- 1: raised and caught inside the chunk
);
CREATE TABLE file (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,   -- ids are never reused: postings and vectors refer to them
  path      TEXT    NOT NULL UNIQUE,
  language  TEXT    NOT NULL,
  sha       TEXT    NOT NULL,
  size      INTEGER NOT NULL,
  mtime_ns  INTEGER NOT NULL,
  ctime_ns  INTEGER NOT NULL,             -- no program can set it back, unlike mtime
  inode     INTEGER NOT NULL,
  checked_ns INTEGER NOT NULL,            -- when it was read: a time not older than this is racy and proves nothing
  lines     INTEGER NOT NULL,
  package   TEXT    NOT NULL DEFAULT '',
  doc       TEXT    NOT NULL DEFAULT '',  -- leading documentation of the file
  generated INTEGER NOT NULL DEFAULT 0,
  indegree  INTEGER NOT NULL DEFAULT 0,   -- other non-test files with a resolved call into this one
  card_hash BLOB,                         -- key of the file card's vector
  content   BLOB    NOT NULL              -- the decoded text, zlib-compressed UTF-8
);
INSERT INTO "file" VALUES(1,'old.py','python','s',1,1,1,1,1,1,'','',0,0,NULL,X'00');
CREATE TABLE import (
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  path TEXT NOT NULL, name TEXT NOT NULL, alias TEXT NOT NULL, line INTEGER NOT NULL
);
CREATE TABLE index_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "index_meta" VALUES('commit','');
INSERT INTO "index_meta" VALUES('embedder','fake');
INSERT INTO "index_meta" VALUES('schema','0');
INSERT INTO "index_meta" VALUES('state','complete');
INSERT INTO "index_meta" VALUES('tables','cf977121');
INSERT INTO "index_meta" VALUES('vectors_generation','0');
CREATE TABLE memory (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused: postings and vectors refer to it
  uuid           TEXT    NOT NULL UNIQUE,             -- UUIDv7, what people and exports see
  tenant         TEXT    NOT NULL,
  visibility     TEXT    NOT NULL CHECK (visibility IN ('project', 'global')),
  project_id     TEXT    NOT NULL,                    -- empty for global ones
  cube           TEXT    NOT NULL,                    -- user_profile or agent:<id>
  type           TEXT    NOT NULL CHECK (type IN ('text_mem', 'pref_mem', 'skill_mem', 'tool_mem')),
  key            TEXT    NOT NULL DEFAULT '',         -- same tenant, range and key = one version chain
  content        TEXT    NOT NULL,
  context        TEXT    NOT NULL DEFAULT '',         -- indexed but not shown: speaker, caption, date
  symbol         TEXT    NOT NULL DEFAULT '',
  importance     INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
  version        INTEGER NOT NULL DEFAULT 1,
  source         TEXT    NOT NULL CHECK (source IN ('manual', 'codebase', 'doc', 'conversation')),
  source_session TEXT    NOT NULL DEFAULT '',
  source_message TEXT    NOT NULL DEFAULT '',
  raw            INTEGER NOT NULL DEFAULT 0,          -- a turn as it was said: never deduplicated, never judged
  status         TEXT    NOT NULL CHECK (status IN ('active', 'superseded', 'candidate', 'deleted')),
  valid_from     INTEGER,
  valid_to       INTEGER,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  superseded_at  INTEGER,
  superseded_by  TEXT,                                -- uuid
  seen_count     INTEGER NOT NULL DEFAULT 1,
  last_used_at   INTEGER,
  content_hash   TEXT    NOT NULL,                    -- SHA-256 of the whole normalised text
  partition      INTEGER REFERENCES memory_partition (id)   -- where its postings stand; NULL when it is deleted
);
INSERT INTO "memory" VALUES(1,'0190a000-0000-7000-8000-000000000001','default','project','p','user_profile','text_mem','','Releases are cut on Thursdays.','','',5,1,'manual','','',0,'active',NULL,NULL,1,1,NULL,NULL,1,NULL,'h',NULL);
CREATE TABLE memory_alias (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  tenant       TEXT    NOT NULL,
  content      TEXT    NOT NULL,
  content_hash TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (memory_id, content_hash)
) WITHOUT ROWID;
CREATE TABLE memory_anchor (
  memory_id      INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE,
  tenant         TEXT    NOT NULL,
  symbol         TEXT    NOT NULL,                    -- qualified name now (follows renames)
  path           TEXT    NOT NULL DEFAULT '',
  language       TEXT    NOT NULL DEFAULT '',
  kind           TEXT    NOT NULL DEFAULT '',
  content_hash   TEXT    NOT NULL DEFAULT '',
  interface_hash TEXT    NOT NULL DEFAULT '',
  state          TEXT    NOT NULL,                    -- fresh, stale:body, stale:contract, orphaned, ambiguous, unresolved
  detail         TEXT    NOT NULL DEFAULT '',
  checked_at     INTEGER NOT NULL
);
CREATE TABLE memory_block (
  partition INTEGER NOT NULL,
  block     INTEGER NOT NULL,
  lengths   BLOB    NOT NULL,
  parents   BLOB    NOT NULL,
  PRIMARY KEY (partition, block)
) WITHOUT ROWID;
CREATE TABLE memory_history (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid   TEXT    NOT NULL,                            -- of the memory
  tenant TEXT    NOT NULL,
  action TEXT    NOT NULL CHECK (action IN ('add', 'edit', 'supersede', 'seen', 'delete', 'restore', 'verify', 'import')),
  actor  TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  before TEXT    NOT NULL DEFAULT '',                 -- JSON of the fields that changed
  after  TEXT    NOT NULL DEFAULT ''
);
CREATE TABLE memory_migration (version INTEGER PRIMARY KEY, script TEXT NOT NULL, at INTEGER NOT NULL);
INSERT INTO "memory_migration" VALUES(1,'memory_schema.sql',1);
CREATE TABLE memory_parent (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, session TEXT NOT NULL, UNIQUE (tenant, session));
CREATE TABLE memory_partition (
  id         INTEGER PRIMARY KEY,
  tenant     TEXT    NOT NULL,
  visibility TEXT    NOT NULL CHECK (visibility IN ('project', 'global')),
  project_id TEXT    NOT NULL,
  cube       TEXT    NOT NULL,
  closed     INTEGER NOT NULL,
  UNIQUE (tenant, visibility, project_id, cube, closed)
);
CREATE TABLE memory_posting (
  partition INTEGER NOT NULL,
  term      TEXT    NOT NULL,
  block     INTEGER NOT NULL,
  data      BLOB    NOT NULL,
  PRIMARY KEY (partition, term, block)
) WITHOUT ROWID;
CREATE TABLE memory_vector (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  tenant       TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  dimension    INTEGER NOT NULL,
  data         BLOB    NOT NULL,                      -- float32, little-endian
  content_hash TEXT    NOT NULL,                      -- what was embedded; differs from the memory's when it is stale
  updated_at   INTEGER NOT NULL,
  UNIQUE (memory_id, model)
);
CREATE TABLE outflow (
  path TEXT NOT NULL, qualified_name TEXT NOT NULL, ordinal INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (path, qualified_name, ordinal)
) WITHOUT ROWID;
CREATE TABLE posting (
  segment INTEGER NOT NULL,
  term    TEXT    NOT NULL,
  data    BLOB    NOT NULL,                     -- codes and counts, see lexical/segments.py
  PRIMARY KEY (segment, term)                   -- a segment is written, merged and removed as one run
) WITHOUT ROWID;
CREATE TABLE problem (path TEXT NOT NULL, stage TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE project (
  id         TEXT PRIMARY KEY,                  -- stable name used in memory.project_id
  path       TEXT NOT NULL,
  remote     TEXT NOT NULL DEFAULT '',
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE reach (
  target TEXT NOT NULL, file_id INTEGER NOT NULL,
  PRIMARY KEY (target, file_id)
) WITHOUT ROWID;
CREATE TABLE resolution (
  file_id   INTEGER PRIMARY KEY,
  path      TEXT NOT NULL,
  stem      TEXT NOT NULL,                      -- the module's last name: where imports look for it
  language  TEXT NOT NULL,
  package   TEXT NOT NULL,
  imports   TEXT NOT NULL,                      -- JSON list of [path, name, alias]
  consulted BLOB NOT NULL DEFAULT x''           -- CRC-32 of each name looked up: when one is defined anew, resolve again
);
CREATE TABLE segment (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  documents INTEGER NOT NULL,
  arrays    BLOB    NOT NULL                    -- per document: chunk id, file id, flags, length of each field (see lexical/)
);
CREATE TABLE skipped (
  path       TEXT PRIMARY KEY,
  reason     TEXT NOT NULL,
  size       INTEGER NOT NULL DEFAULT -1,   -- -1: decided without reading
  mtime_ns   INTEGER NOT NULL DEFAULT 0,
  ctime_ns   INTEGER NOT NULL DEFAULT 0,
  inode      INTEGER NOT NULL DEFAULT 0,
  checked_ns INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE symbol (
  name           TEXT    NOT NULL,              -- simple name: what is looked up
  file_id        INTEGER NOT NULL,              -- of `resolution`
  qualified_name TEXT    NOT NULL,
  ordinal        INTEGER NOT NULL,
  data           TEXT    NOT NULL,              -- JSON: the other fields of the symbol, empty ones at the end left out
  PRIMARY KEY (name, file_id, qualified_name, ordinal)
) WITHOUT ROWID;
CREATE TABLE vector (
  hash      BLOB    NOT NULL,                   -- BLAKE2b-128 of the embedded text
  model     TEXT    NOT NULL,
  dimension INTEGER NOT NULL,
  data      BLOB    NOT NULL,                   -- float16, little-endian, unit length
  PRIMARY KEY (hash, model)
) WITHOUT ROWID;
CREATE UNIQUE INDEX memory_exact ON memory (tenant, visibility, project_id, cube, content_hash)
  WHERE raw = 0 AND status IN ('active', 'candidate');
CREATE UNIQUE INDEX memory_key ON memory (tenant, visibility, project_id, cube, key)
  WHERE key <> '' AND status = 'active';
CREATE INDEX memory_chain ON memory (key, tenant) WHERE key <> '';
CREATE INDEX memory_symbol ON memory (symbol) WHERE symbol <> '';
CREATE INDEX memory_superseded_by ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_created ON memory (created_at);
CREATE INDEX memory_alias_hash ON memory_alias (content_hash, tenant);
CREATE INDEX memory_vector_model ON memory_vector (model, dimension, id);
CREATE INDEX memory_history_uuid ON memory_history (uuid);
CREATE INDEX memory_anchor_symbol ON memory_anchor (symbol);
CREATE INDEX problem_path ON problem (path);
CREATE INDEX chunk_file ON chunk (file_id);
CREATE INDEX chunk_name ON chunk (name);
CREATE INDEX chunk_qualified_name ON chunk (qualified_name);
CREATE INDEX chunk_pending ON chunk (file_id) WHERE segment IS NULL;
CREATE INDEX import_file ON import (file_id);
CREATE INDEX call_target ON call (target_name, target_path) WHERE target_name IS NOT NULL;
CREATE INDEX call_callee ON call (callee);
CREATE INDEX fact_chunk ON fact (chunk_id);
CREATE INDEX fact_type ON fact (type);
CREATE INDEX symbol_file ON symbol (file_id);
CREATE INDEX resolution_path ON resolution (path);
CREATE INDEX resolution_stem ON resolution (stem, path);
CREATE INDEX reach_file ON reach (file_id);
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk WHEN OLD.segment IS NOT NULL
  BEGIN INSERT OR IGNORE INTO dead VALUES (OLD.segment, OLD.id); END;
CREATE TRIGGER chunk_moved AFTER UPDATE OF segment ON chunk WHEN OLD.segment IS NOT NULL AND OLD.segment IS NOT NEW.segment
  BEGIN INSERT OR IGNORE INTO dead VALUES (OLD.segment, OLD.id); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('file',1);
INSERT INTO "sqlite_sequence" VALUES('memory',1);
COMMIT;
