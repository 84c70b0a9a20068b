import { useEffect } from 'react';

/** The tab's title while the screen is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} | Cambist` : 'Cambist';
  }, [title]);
}
