-- The memory layer, step 1: what people and agents asked to be remembered. User data: never dropped, only migrated by
-- further steps (see migrations.py). Times are UTC milliseconds. Tenant is a column of every table that holds content.

-- Who this store belongs to: the canonical repository root, its path and its remote, so that a moved checkout is known again.
CREATE TABLE project (
  id         TEXT PRIMARY KEY,                  -- stable name used in memory.project_id
  path       TEXT NOT NULL,
  remote     TEXT NOT NULL DEFAULT '',
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;

-- One row per (tenant, visibility, project, cube) and whether it holds current or closed rows. Search reads the postings of
-- the partitions that a context may see and no others, so neither rows nor word statistics leak.
CREATE TABLE memory_partition (
  id         INTEGER PRIMARY KEY,
  tenant     TEXT    NOT NULL,
  visibility TEXT    NOT NULL CHECK (visibility IN ('project', 'global')),
  project_id TEXT    NOT NULL,
  cube       TEXT    NOT NULL,
  closed     INTEGER NOT NULL,
  UNIQUE (tenant, visibility, project_id, cube, closed)
);

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
-- Fifty parallel adds of one text give one row.
CREATE UNIQUE INDEX memory_exact ON memory (tenant, visibility, project_id, cube, content_hash)
  WHERE raw = 0 AND status IN ('active', 'candidate');
CREATE UNIQUE INDEX memory_key ON memory (tenant, visibility, project_id, cube, key)
  WHERE key <> '' AND status = 'active';
CREATE INDEX memory_chain ON memory (key, tenant) WHERE key <> '';
CREATE INDEX memory_symbol ON memory (symbol) WHERE symbol <> '';
CREATE INDEX memory_superseded_by ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_created ON memory (created_at);

-- Other wordings of the same fact, kept when a paraphrase is recognised.
CREATE TABLE memory_alias (
  memory_id    INTEGER NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  tenant       TEXT    NOT NULL,
  content      TEXT    NOT NULL,
  content_hash TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (memory_id, content_hash)
) WITHOUT ROWID;
CREATE INDEX memory_alias_hash ON memory_alias (content_hash, tenant);

-- Vectors of several models may stand side by side. A new vector is a new row, so a reader sees what is new by its id.
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
CREATE INDEX memory_vector_model ON memory_vector (model, dimension, id);

-- Everything that ever happened to a memory.
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
CREATE INDEX memory_history_uuid ON memory_history (uuid);

-- Memories tied to code: the identity and hashes of the symbol when it was last verified, and its state after the last index.
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
CREATE INDEX memory_anchor_symbol ON memory_anchor (symbol);

-- The lexical index: 512 documents to a block; an entry is (place in the block, term frequency), both uint16.
CREATE TABLE memory_posting (
  partition INTEGER NOT NULL,
  term      TEXT    NOT NULL,
  block     INTEGER NOT NULL,
  data      BLOB    NOT NULL,
  PRIMARY KEY (partition, term, block)
) WITHOUT ROWID;
-- Per block: uint16 length of every document (0 = none) and uint32 number of the conversation it belongs to (0 = none).
CREATE TABLE memory_block (
  partition INTEGER NOT NULL,
  block     INTEGER NOT NULL,
  lengths   BLOB    NOT NULL,
  parents   BLOB    NOT NULL,
  PRIMARY KEY (partition, block)
) WITHOUT ROWID;
CREATE TABLE memory_parent (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, session TEXT NOT NULL, UNIQUE (tenant, session));
