/**
 * The buttons of the shell and the first page: Mantine's, in its own style sheet, without the sixteen kilobytes of script
 * that reckon out what is known beforehand. A test compares both, letter by letter.
 */
import type { ComponentPropsWithRef, CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router';

type ButtonSize = 'compact-sm' | 'compact-md' | 'lg';
type ButtonVariant = 'default' | 'subtle';

const ANY = 'mantine-focus-auto mantine-active';
const UNSTYLED = 'm_87cf2631 mantine-UnstyledButton-root';
const BORDER = 'calc(0.0625rem * var(--mantine-scale)) solid';

const join = (...names: readonly (string | undefined)[]) => names.filter(Boolean).join(' ');

const DEFAULT = {
  '--button-bg': 'var(--mantine-color-default)',
  '--button-hover': 'var(--mantine-color-default-hover)',
  '--button-color': 'var(--mantine-color-default-color)',
  '--button-bd': `${BORDER} var(--mantine-color-default-border)`,
};
const SUBTLE = {
  '--button-bg': 'transparent',
  '--button-hover': 'var(--mantine-color-gray-light-hover)',
  '--button-color': 'var(--mantine-color-gray-light-color)',
  '--button-bd': `${BORDER} transparent`,
};
const FILLED = { '--button-color': 'var(--mantine-color-white)' };
const VARIANTS = { default: DEFAULT, subtle: SUBTLE };

interface Look {
  readonly size?: ButtonSize;
  /** Filled without one; a subtle one is gray. */
  readonly variant?: ButtonVariant;
  readonly leftSection?: ReactNode;
}

function lookOf({ size, variant, leftSection }: Look, className: string | undefined) {
  const sized = size && {
    '--button-height': `var(--button-height-${size})`,
    '--button-padding-x': `var(--button-padding-x-${size})`,
    '--button-fz': `var(--mantine-font-size-${size.replace('compact-', '')})`,
  };
  return {
    style: { ...sized, ...(variant ? VARIANTS[variant] : FILLED) } as CSSProperties,
    className: join(ANY, className, 'm_77c9d27d mantine-Button-root', UNSTYLED),
    'data-variant': variant,
    'data-size': size,
    'data-with-left-section': leftSection ? true : undefined,
  };
}

function Inner({ leftSection, children }: { readonly leftSection?: ReactNode; readonly children?: ReactNode }) {
  return (
    <span className="m_80f1301b mantine-Button-inner">
      {leftSection && (
        <span className="m_a74036a mantine-Button-section" data-position="left">
          {leftSection}
        </span>
      )}
      <span className="m_811560b9 mantine-Button-label">{children}</span>
    </span>
  );
}

export function Button(props: Look & ComponentPropsWithRef<'button'>) {
  const { size, variant, leftSection, className, children, ...rest } = props;
  return (
    <button {...lookOf(props, className)} type="button" {...rest}>
      <Inner leftSection={leftSection}>{children}</Inner>
    </button>
  );
}

export function ButtonLink(props: Look & ComponentPropsWithRef<typeof Link>) {
  const { size, variant, leftSection, className, children, ...rest } = props;
  return (
    <Link {...lookOf(props, className)} {...rest}>
      <Inner leftSection={leftSection}>{children}</Inner>
    </Link>
  );
}

interface IconLook {
  readonly size: 'sm' | 'lg';
  /** Subtle without one: it darkens under the pointer. */
  readonly variant?: 'subtle' | 'transparent';
}

const TRANSPARENT_ICON = {
  '--ai-bg': 'transparent',
  '--ai-hover': 'transparent',
  '--ai-color': 'var(--mantine-color-gray-light-color)',
  '--ai-bd': `${BORDER} transparent`,
};
const SUBTLE_ICON = { ...TRANSPARENT_ICON, '--ai-hover': 'var(--mantine-color-gray-light-hover)' };

function iconLookOf({ size, variant = 'subtle' }: IconLook, className: string | undefined, disabled = false) {
  const colours = variant === 'transparent' ? TRANSPARENT_ICON : SUBTLE_ICON;
  return {
    style: { '--ai-size': `var(--ai-size-${size})`, ...colours } as CSSProperties,
    className: join(
      'mantine-focus-auto',
      disabled ? undefined : 'mantine-active',
      className,
      'm_8d3f4000 mantine-ActionIcon-root',
      UNSTYLED,
    ),
    'data-variant': variant,
    'data-size': size,
    'data-disabled': disabled || undefined,
  };
}

const IconInner = ({ children }: { readonly children?: ReactNode }) => (
  <span className="m_8d3afb97 mantine-ActionIcon-icon">{children}</span>
);

/** Gray, with nothing but a picture; it needs a label. */
export function IconButton(props: IconLook & ComponentPropsWithRef<'button'>) {
  const { size, variant, className, disabled, children, ...rest } = props;
  return (
    <button {...iconLookOf(props, className, disabled)} type="button" disabled={disabled} {...rest}>
      <IconInner>{children}</IconInner>
    </button>
  );
}

export function IconLink(props: IconLook & ComponentPropsWithRef<typeof Link>) {
  const { size, variant, className, children, ...rest } = props;
  return (
    <Link {...iconLookOf(props, className)} {...rest}>
      <IconInner>{children}</IconInner>
    </Link>
  );
}

/** Nothing of a button but that it can be pressed. */
export function PlainButton({ className, ...rest }: ComponentPropsWithRef<'button'>) {
  return <button className={join('mantine-focus-auto', className, UNSTYLED)} type="button" {...rest} />;
}
