-- The index layer: everything here is derived from the working tree and may be rebuilt at any time.
-- Bump INDEX_SCHEMA in database.py when a table changes; the layer is then dropped and rebuilt, memories are untouched.

-- One row of facts about the whole layer: fingerprint, commit, generation of the vectors, statistics.
CREATE TABLE index_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every indexed file. size, the two times and inode are hints; sha (SHA-256 of the raw bytes) is the truth.
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
  calls     INTEGER,                      -- calls that its code makes; NULL where its grammar tells definitions only
  card_hash BLOB,                         -- key of the file card's vector
  content   BLOB    NOT NULL              -- the decoded text, zlib-compressed UTF-8
);

CREATE INDEX file_card ON file (card_hash) WHERE card_hash IS NOT NULL;

-- What was looked at and not indexed, and why. `search` and `status` list it.
-- Hints are kept for those whose bytes decided (binary, minified): they are not read again while the hints hold.
CREATE TABLE skipped (
  path       TEXT PRIMARY KEY,
  reason     TEXT NOT NULL,
  size       INTEGER NOT NULL DEFAULT -1,   -- -1: decided without reading
  mtime_ns   INTEGER NOT NULL DEFAULT 0,
  ctime_ns   INTEGER NOT NULL DEFAULT 0,
  inode      INTEGER NOT NULL DEFAULT 0,
  checked_ns INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- What parsing, resolving or embedding could not do for a file that is indexed all the same.
CREATE TABLE problem (path TEXT NOT NULL, stage TEXT NOT NULL, message TEXT NOT NULL);
CREATE INDEX problem_path ON problem (path);

-- One row per chunk piece. (path, qualified_name, ordinal, part) is its identity; ids do not survive a re-parse.
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
CREATE INDEX chunk_file ON chunk (file_id);
CREATE INDEX chunk_name ON chunk (name);
CREATE INDEX chunk_qualified_name ON chunk (qualified_name);
CREATE INDEX chunk_card ON chunk (card_hash) WHERE card_hash IS NOT NULL;   -- which vectors are used, without reading chunks
CREATE INDEX chunk_pending ON chunk (file_id) WHERE segment IS NULL;   -- empty at rest: what a killed run left to do

-- Import statements of a file.
CREATE TABLE import (
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  path TEXT NOT NULL, name TEXT NOT NULL, alias TEXT NOT NULL, line INTEGER NOT NULL
);
CREATE INDEX import_file ON import (file_id);

-- The resolved call graph. Targets are kept by identity, so an edge survives when only one end's file changes.
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
CREATE INDEX call_target ON call (target_name, target_path) WHERE target_name IS NOT NULL;
CREATE INDEX call_callee ON call (callee);

-- The effective contract: written facts and facts that propagate along resolved calls.
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
CREATE INDEX fact_chunk ON fact (chunk_id);
CREATE INDEX fact_type ON fact (type);

-- What resolution sees of each definition. Rows outlive a re-parse (no foreign key): by comparing, the run knows what changed.
CREATE TABLE symbol (
  name           TEXT    NOT NULL,              -- simple name: what is looked up
  file_id        INTEGER NOT NULL,              -- of `resolution`
  qualified_name TEXT    NOT NULL,
  ordinal        INTEGER NOT NULL,
  data           TEXT    NOT NULL,              -- JSON: the other fields of the symbol, empty ones at the end left out
  PRIMARY KEY (name, file_id, qualified_name, ordinal)
) WITHOUT ROWID;
CREATE INDEX symbol_file ON symbol (file_id);

-- Files that are resolved: ids without a row are work to do, rows without a file are files that went.
CREATE TABLE resolution (
  file_id   INTEGER PRIMARY KEY,
  path      TEXT NOT NULL,
  stem      TEXT NOT NULL,                      -- the module's last name: where imports look for it
  language  TEXT NOT NULL,
  package   TEXT NOT NULL,
  imports   TEXT NOT NULL,                      -- JSON list of [path, name, alias]
  consulted BLOB NOT NULL DEFAULT x''           -- CRC-32 of each name looked up: when one is defined anew, resolve again
);
CREATE INDEX resolution_path ON resolution (path);
CREATE INDEX resolution_stem ON resolution (stem, path);

-- Which files outside tests call into which file: what `file.indegree` counts.
CREATE TABLE reach (
  target TEXT NOT NULL, file_id INTEGER NOT NULL,
  PRIMARY KEY (target, file_id)
) WITHOUT ROWID;
CREATE INDEX reach_file ON reach (file_id);

-- What leaves a chunk towards its callers, with the number of calls it came through; only where something does.
CREATE TABLE outflow (
  path TEXT NOT NULL, qualified_name TEXT NOT NULL, ordinal INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (path, qualified_name, ordinal)
) WITHOUT ROWID;

-- Lexical index: documents are chunk pieces; postings are immutable blobs per (term, segment), scored with numpy.
CREATE TABLE segment (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  documents INTEGER NOT NULL,
  arrays    BLOB    NOT NULL                    -- per document: chunk id, file id, flags, length of each field (see lexical/)
);
-- Documents of a segment that no longer count: their chunk was removed or has a newer document elsewhere.
CREATE TABLE dead (segment INTEGER NOT NULL, chunk_id INTEGER NOT NULL, PRIMARY KEY (segment, chunk_id)) WITHOUT ROWID;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk WHEN OLD.segment IS NOT NULL
  BEGIN INSERT OR IGNORE INTO dead VALUES (OLD.segment, OLD.id); END;
CREATE TRIGGER chunk_moved AFTER UPDATE OF segment ON chunk WHEN OLD.segment IS NOT NULL AND OLD.segment IS NOT NEW.segment
  BEGIN INSERT OR IGNORE INTO dead VALUES (OLD.segment, OLD.id); END;
CREATE TABLE posting (
  segment INTEGER NOT NULL,
  term    TEXT    NOT NULL,
  data    BLOB    NOT NULL,                     -- codes and counts, see lexical/segments.py
  PRIMARY KEY (segment, term)                   -- a segment is written, merged and removed as one run
) WITHOUT ROWID;

-- Vectors by what was embedded, not by where it stands: a moved or copied card costs no embedding.
CREATE TABLE vector (
  hash      BLOB    NOT NULL,                   -- BLAKE2b-128 of the embedded text
  model     TEXT    NOT NULL,
  dimension INTEGER NOT NULL,
  data      BLOB    NOT NULL,                   -- float16, little-endian, unit length
  PRIMARY KEY (hash, model)
) WITHOUT ROWID;
