/** A coin's own icon from this server; its first letter where there is none. */
import { useState } from 'react';
import classes from './coin-icon.module.css';

interface CoinIconProps {
  readonly code: string;
  readonly size?: number;
}

export function CoinIcon({ code, size = 20 }: CoinIconProps) {
  const [failed, setFailed] = useState<string>();
  if (failed === code) return <CoinLetter code={code} size={size} />;
  return (
    <img
      className={classes.icon}
      style={{ fontSize: `${size / 16}rem` }}
      src={`/icons/${code.toLowerCase()}.svg`}
      alt=""
      onError={() => setFailed(code)}
    />
  );
}

export function CoinLetter({ code, size }: Required<CoinIconProps>) {
  return (
    <span className={classes.letter} style={{ fontSize: `${size / 32}rem` }} aria-hidden>
      {code.slice(0, 1)}
    </span>
  );
}
