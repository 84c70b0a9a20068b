import { describe, expect, it } from 'vitest';
import { parseNews } from './feed-items.ts';

const NOW = Date.UTC(2026, 5, 1);
const rss = (items: string, title = 'Coin &amp; Chain') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${title}</title>${items}</channel></rss>`;
const entry = (inner: string) => `<item><title>t</title><link>https://a.example/1</link>${inner}</item>`;
const first = (text: string) => parseNews(text, 'a.example', NOW).items[0];

describe('a feed of another site', () => {
  it('RSS: text without markup, an https picture, the date, the id', () => {
    const description =
      '<description><![CDATA[<h2>Big</h2><p>Now <a href="https://x.example">here</a> &amp; there</p><script>alert(1)</script><img src="http://x/y.png" onerror="alert(2)">]]></description>';
    const parsed = parseNews(
      rss(`<item><title>Up &lt;b&gt;5 %&lt;/b&gt;</title><link>https://a.example/1?utm_source=rss&amp;id=7</link>
        <guid isPermaLink="false">one</guid><pubDate>Sat, 30 May 2026 10:00:00 GMT</pubDate>${description}
        <media:thumbnail url="http://a.example/plain.png"/><media:thumbnail url="https://a.example/safe.png"/></item>`),
      'a.example',
      NOW,
    );
    expect(parsed).toEqual({
      title: 'Coin & Chain',
      items: [
        {
          guid: 'one',
          url: 'https://a.example/1?id=7',
          title: 'Up 5 %',
          body: 'Big Now here & there',
          imageurl: 'https://a.example/safe.png',
          publishedAt: Date.UTC(2026, 4, 30, 10),
        },
      ],
    });
  });

  it('Atom: the alternate link, the summary, the enclosure', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><entry><id>urn:1</id>
      <title type="html">A &amp;amp; B</title><link rel="self" href="https://b.example/self"/>
      <link rel="alternate" href="https://b.example/1"/><link rel="enclosure" type="image/png" href="https://b.example/1.png"/>
      <updated>2026-05-02T00:00:00Z</updated><published>2026-05-01T00:00:00Z</published>
      <summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>In <b>short</b></p></div></summary>
      <content type="html">&lt;p&gt;At length&lt;/p&gt;</content></entry></feed>`;
    expect(parseNews(atom, 'b.example', NOW)).toEqual({
      title: 'Blog',
      items: [
        {
          guid: 'urn:1',
          url: 'https://b.example/1',
          title: 'A & B',
          body: 'In short',
          imageurl: 'https://b.example/1.png',
          publishedAt: Date.UTC(2026, 4, 1),
        },
      ],
    });
  });

  it('RDF: an item is told by its address', () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel><title>Old</title><link>https://c.example</link><description>d</description></channel>
      <item><title>One</title><link>https://c.example/1</link><description>Text</description><dc:date>2026-05-03T00:00:00Z</dc:date></item></rdf:RDF>`;
    expect(first(rdf)).toMatchObject({ guid: 'https://c.example/1', title: 'One', publishedAt: Date.UTC(2026, 4, 3) });
  });

  it('has no NUL, which the table does not take, wherever it was', () => {
    const parsed = parseNews(
      rss(`${entry('<guid>a\0b</guid><description>c\0d</description>')}`, 'e\0f'),
      'a.example',
      NOW,
    );
    expect(parsed).toMatchObject({ title: 'ef', items: [{ guid: 'ab', body: 'cd' }] });
  });

  it('cuts long texts at a word, and takes a hundred items at most', () => {
    const body = first(rss(entry(`<description>${'word '.repeat(5000)}</description>`)))?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(600);
    expect(body).toMatch(/ word…$/);
    const many = Array.from(
      { length: 150 },
      (_, index) => `<item><title>t</title><link>https://a.example/${index}</link></item>`,
    );
    expect(parseNews(rss(many.join('')), 'a.example', NOW).items).toHaveLength(100);
  });

  it.each([
    ['without an address', '<item><title>t</title></item>'],
    ['without a title', '<item><link>https://a.example/1</link></item>'],
    ['with an address that is not https', '<item><title>t</title><link>http://a.example/1</link></item>'],
    ['with an address that runs', '<item><title>t</title><link>javascript:alert(1)</link></item>'],
    ['with a password in its address', '<item><title>t</title><link>https://u:p@a.example/</link></item>'],
    ['whose title is only markup', '<item><title>&lt;img src=x&gt;</title><link>https://a.example/1</link></item>'],
  ])('leaves out an item %s', (_, item) => {
    expect(parseNews(rss(item), 'a.example', NOW).items).toEqual([]);
  });

  it.each([
    ['no date', ''],
    ['no readable date', '<pubDate>yesterday</pubDate>'],
    ['a date ahead of us', '<pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate>'],
  ])('an item with %s is of now', (_, date) => {
    expect(first(rss(entry(date)))?.publishedAt).toBe(NOW);
  });

  it('is named by its host where it has no name', () => {
    expect(parseNews(rss(entry(''), ''), 'a.example', NOW).title).toBe('a.example');
  });

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><html><body>Not found</body></html>'],
    ['plain text', 'hello'],
    ['half a tag', '<rss version="2.0"><chan'],
    ['a feed that breaks off', `${rss(entry('')).slice(0, -40)}<item><title>u`],
    ['JSON', '{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[]}'],
    [
      'an outside entity',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&x;</title></channel></rss>',
    ],
  ])('says so when it is given %s', (_, text) => {
    expect(() => parseNews(text, 'a.example', NOW)).toThrow();
  });

  it('entities that multiply stay as small as they came', () => {
    const bomb = `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(50)}"><!ENTITY b "${'&a;'.repeat(50)}"><!ENTITY c "${'&b;'.repeat(50)}">]>`;
    const text = rss(entry('<description>&c;</description>')).replace('<?xml version="1.0"?>', bomb);
    let length = 0;
    try {
      length = first(text)?.body.length ?? 0;
    } catch {
      length = 0;
    }
    expect(length).toBeLessThanOrEqual(600);
  });
});
