/** A coin's own icon from this server; its first letter where there is none. */
import { useState } from 'react';
import classes from './coin-icon.module.css';

interface CoinIconProps {
  readonly code: string;
  readonly size?: number;
}

export function CoinIcon({ code, size = 20 }: CoinIconProps) {
  const [failed, setFailed] = useState<string>();
  const dimensions = { width: size, height: size };
  if (failed === code) {
    return (
      <span className={classes.letter} style={{ ...dimensions, fontSize: size * 0.5 }} aria-hidden>
        {code.slice(0, 1)}
      </span>
    );
  }
  return (
    <img
      className={classes.icon}
      style={dimensions}
      src={`/icons/${code.toLowerCase()}.svg`}
      alt=""
      onError={() => setFailed(code)}
    />
  );
}
