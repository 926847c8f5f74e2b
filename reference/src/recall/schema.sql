-- The frames, and what makes finding them cheap. Every statement may run again on a database that has it already.

CREATE TABLE IF NOT EXISTS frames (
    frame_id    INTEGER PRIMARY KEY,
    timestamp   REAL NOT NULL,          -- epoch seconds
    app_name    TEXT NOT NULL,
    window_name TEXT NOT NULL,
    browser_url TEXT,
    focused     INTEGER,                -- 1, 0, or NULL where it is not known
    ocr_text    TEXT NOT NULL
);

-- The order of browse mode: a page reads the frames of its window in this order and nothing else.
CREATE INDEX IF NOT EXISTS frames_newest_first ON frames (timestamp DESC, frame_id DESC);

-- The words of the text alone: titles must not change a score. Marks count as letters, so that a word of an Indic
-- script stays one word; accents are kept, because only the case of ASCII is ignored.
CREATE VIRTUAL TABLE IF NOT EXISTS frames_text USING fts5 (
    ocr_text,
    content = 'frames',
    content_rowid = 'frame_id',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);

-- The words follow the frames, whoever writes them.
CREATE TRIGGER IF NOT EXISTS frames_inserted AFTER INSERT ON frames BEGIN
    INSERT INTO frames_text (rowid, ocr_text) VALUES (new.frame_id, new.ocr_text);
END;
CREATE TRIGGER IF NOT EXISTS frames_deleted AFTER DELETE ON frames BEGIN
    INSERT INTO frames_text (frames_text, rowid, ocr_text) VALUES ('delete', old.frame_id, old.ocr_text);
END;
CREATE TRIGGER IF NOT EXISTS frames_updated AFTER UPDATE ON frames BEGIN
    INSERT INTO frames_text (frames_text, rowid, ocr_text) VALUES ('delete', old.frame_id, old.ocr_text);
    INSERT INTO frames_text (rowid, ocr_text) VALUES (new.frame_id, new.ocr_text);
END;
