/** Finds a QR code in a picture: with the browser's own detector where it has one, else with a decoder that is fetched. */

/** Of the Shape Detection API, which is not in every browser and not in the types of any. */
interface Detector {
  detect(source: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>;
}

interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

export type ReadCode = (source: HTMLVideoElement | ImageBitmap) => Promise<string | undefined>;

const FORMAT = 'qr_code';
/** Of the longer side: a picture of a camera has more than a code needs. */
const LARGEST_PX = 1_200;
/** A picture that someone has chosen is worth a moment; the next one of a camera comes anyway. */
const PICTURE_MS = 1_500;

async function browsersOwn(): Promise<ReadCode | undefined> {
  const Detector = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  if (!Detector || !(await Detector.getSupportedFormats()).includes(FORMAT)) return undefined;
  const detector = new Detector({ formats: [FORMAT] });
  return async (source) => (await detector.detect(source))[0]?.rawValue;
}

const sizeOf = (source: HTMLVideoElement | ImageBitmap) =>
  source instanceof HTMLVideoElement
    ? { width: source.videoWidth, height: source.videoHeight }
    : { width: source.width, height: source.height };

async function decoder(): Promise<ReadCode> {
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (source) => {
    const { width, height } = sizeOf(source);
    if (!context || width === 0 || height === 0) return undefined;
    const scale = Math.min(1, LARGEST_PX / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    // What is see-through in a picture is paper.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    const isPicture = source instanceof ImageBitmap;
    try {
      return decode(
        context.getImageData(0, 0, canvas.width, canvas.height),
        isPicture ? { timeLimit: PICTURE_MS } : {},
      );
    } catch {
      // It throws where there is no code.
      return undefined;
    }
  };
}

let reading: Promise<ReadCode> | undefined;

/** The same reader for every picture. */
export function codeReader(): Promise<ReadCode> {
  reading ??= browsersOwn().then((own) => own ?? decoder());
  reading.catch(() => {
    // What could not be fetched is asked for again.
    reading = undefined;
  });
  return reading;
}
