/** A code to scan: black on white in both themes, because cameras want it so. */
import { QRCodeSVG } from 'qrcode.react';

interface QrCodeProps {
  readonly value: string;
  /** Pixels. */
  readonly size: number;
  /** What scanning leads to, for those who cannot see it. */
  readonly label: string;
}

export function QrCode({ value, size, label }: QrCodeProps) {
  return <QRCodeSVG value={value} size={size} title={label} role="img" marginSize={1} level="M" />;
}
