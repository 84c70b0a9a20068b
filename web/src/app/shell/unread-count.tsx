import { formatCount } from '../../lib/format.ts';
import classes from './unread-count.module.css';

/** In the corner of a button, whose label says it too; nothing where nothing is unread. */
export function UnreadCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <span className={classes.count}>{formatCount(count)}</span>;
}
