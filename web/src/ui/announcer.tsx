/** The one place of the page that a screen reader reads out by itself when its text changes. */
import { create } from 'zustand';

const useAnnounced = create<{ readonly text: string }>()(() => ({ text: '' }));

/** For what has changed away from the focus. The text is translated. */
export const announce = (text: string): void => useAnnounced.setState({ text });

export function Announcer() {
  const text = useAnnounced((announced) => announced.text);
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
