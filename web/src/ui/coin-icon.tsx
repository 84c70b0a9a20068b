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
      style={{ width: size, height: size }}
      src={`/icons/${code.toLowerCase()}.svg`}
      alt=""
      onError={() => setFailed(code)}
    />
  );
}

export function CoinLetter({ code, size }: Required<CoinIconProps>) {
  return (
    <span className={classes.letter} style={{ width: size, height: size, fontSize: size * 0.5 }} aria-hidden>
      {code.slice(0, 1)}
    </span>
  );
}
