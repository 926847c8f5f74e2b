-- The entries and contexts of all memories, and the words that find them.

CREATE TABLE entries (
    number        INTEGER PRIMARY KEY,
    memory_id     TEXT NOT NULL,
    entry_id      TEXT NOT NULL UNIQUE,
    summary       TEXT NOT NULL,
    raw_entry     TEXT NOT NULL,
    creation_time TEXT NOT NULL,        -- as it was written, RFC 3339
    created       INTEGER NOT NULL      -- the same instant, microseconds since 1970: what order is by
);

CREATE TABLE contexts (
    number        INTEGER PRIMARY KEY,
    memory_id     TEXT NOT NULL,
    context_id    TEXT NOT NULL UNIQUE,
    context       TEXT NOT NULL,
    timestamp     TEXT NOT NULL,
    created       INTEGER NOT NULL
);
CREATE INDEX contexts_newest_first ON contexts (memory_id, created DESC, context_id);

-- Marks count as letters, so that a word of an Indic script stays one word.
CREATE VIRTUAL TABLE entries_text USING fts5 (
    summary,
    raw_entry,
    content = 'entries',
    content_rowid = 'number',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);

CREATE VIRTUAL TABLE contexts_text USING fts5 (
    context,
    content = 'contexts',
    content_rowid = 'number',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);

-- The words follow what is put in; nothing is ever changed or taken out.
CREATE TRIGGER entries_inserted AFTER INSERT ON entries BEGIN
    INSERT INTO entries_text (rowid, summary, raw_entry) VALUES (new.number, new.summary, new.raw_entry);
END;
CREATE TRIGGER contexts_inserted AFTER INSERT ON contexts BEGIN
    INSERT INTO contexts_text (rowid, context) VALUES (new.number, new.context);
END;
