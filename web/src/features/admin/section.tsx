import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import classes from './console.module.css';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Measures again after each render and resize. @returns whether the content is wider than the section, which then scrolls */
function useIsScrolled() {
  const section = useRef<HTMLElement>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  const measure = useCallback(() => {
    if (section.current !== null) setIsScrolled(section.current.scrollWidth > section.current.clientWidth);
  }, []);
  useEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (section.current !== null) observer.observe(section.current);
    return () => observer.disconnect();
  }, [measure]);
  return { section, isScrolled };
}

export function Section({ title, children }: SectionProps) {
  const { section, isScrolled } = useIsScrolled();
  return (
    // A table that is wider may have nothing to focus: the keyboard scrolls the section itself.
    <section ref={section} className={classes.section} aria-label={title} {...(isScrolled ? { tabIndex: 0 } : {})}>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  );
}
