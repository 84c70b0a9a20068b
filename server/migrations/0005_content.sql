-- What the operator writes. A save adds a version and changes none; the current one is the highest.
CREATE TABLE content_versions (
  section  text    NOT NULL,
  version  integer NOT NULL CHECK (version > 0),
  -- JSON, every text in all its locales.
  content  text    NOT NULL,
  -- Null for what came with the product.
  saved_by bigint  REFERENCES clients (id),
  saved_at bigint  NOT NULL,
  note     text    NOT NULL,
  PRIMARY KEY (section, version)
);

-- News from other sites' feeds, as text. The same article under two feeds, or twice in one, is kept once.
CREATE TABLE news_imports (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feed         text   NOT NULL,
  guid         text   NOT NULL,
  url          text   NOT NULL UNIQUE,
  title        text   NOT NULL,
  body         text   NOT NULL,
  imageurl     text   NOT NULL,
  published_at bigint NOT NULL,
  UNIQUE (feed, guid)
);
CREATE INDEX news_imports_by_time ON news_imports (published_at);

-- What the next reading of a feed needs to know of the last.
CREATE TABLE news_feeds (
  url           text   PRIMARY KEY,
  title         text   NOT NULL,
  etag          text   NOT NULL,
  last_modified text   NOT NULL,
  checked_at    bigint NOT NULL,
  -- Empty when the last reading went well.
  failure       text   NOT NULL
);
