import classes from './top-bar.module.css';

export function Logo() {
  return (
    <span className={classes.mark}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
        <path d="M21.6 11.2A7 7 0 1 0 21.6 20.8" fill="none" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" />
        <circle cx="22.4" cy="16" r="2.2" fill="#fff" />
      </svg>
      <span className={classes.word}>Cambist</span>
    </span>
  );
}
