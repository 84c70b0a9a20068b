/** A text that the operator writes in Markdown; HTML in it stays text, and links out say nothing of where one came from. */
import ReactMarkdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import classes from './markdown.module.css';

const components: Components = {
  // The page has its own first heading.
  h1: ({ children }) => <h2>{children}</h2>,
  a: ({ href = '', children }) =>
    href.startsWith('/') ? (
      <Link to={href}>{children}</Link>
    ) : (
      <a href={href} rel="noreferrer">
        {children}
      </a>
    ),
};

export default function Markdown({ text }: { readonly text: string }) {
  return (
    <article className={classes.article}>
      <ReactMarkdown components={components}>{text}</ReactMarkdown>
    </article>
  );
}
