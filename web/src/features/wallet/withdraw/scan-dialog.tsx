/** Reads an address from a QR code: by the camera, or from a picture. */
import { Button, FileButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/states.tsx';
import { IconPhoto } from '../icons.ts';
import { type Payment, readPayment } from './payment-text.ts';
import { codeReader, type ReadCode } from './scan-code.ts';
import classes from './scan-dialog.module.css';

interface ScanDialogProps {
  readonly onPayment: (payment: Payment) => void;
  readonly onClose: () => void;
}

/** Between two looks at the camera: often enough to feel at once, and a phone stays cool. */
const LOOK_MS = 200;

const NO_CAMERA = msg('No camera found. Choose a picture of the QR code instead.');
const NO_PERMISSION = msg('The camera is blocked. Allow it in your browser, or choose a picture of the QR code.');
const NO_CODE = msg('No QR code found in this picture.');
const NO_ADDRESS = msg('This QR code holds no address that can be withdrawn to.');
const NO_PICTURE = msg('This file cannot be read as a picture.');

const cameraProblem = (error: unknown): string =>
  error instanceof DOMException && error.name === 'NotAllowedError' ? NO_PERMISSION : NO_CAMERA;

async function openCamera(): Promise<MediaStream> {
  // Without a secure connection the browser has no such thing at all.
  const media = navigator.mediaDevices as MediaDevices | undefined;
  if (!media) throw new Error('no camera');
  return media.getUserMedia({ video: { facingMode: 'environment' } });
}

/** Looks until a code is found or the dialog is closed. */
async function look(video: HTMLVideoElement, onCode: (code: string) => void, isOver: () => boolean): Promise<void> {
  const read: ReadCode = await codeReader();
  while (!isOver()) {
    const code = await read(video);
    if (isOver()) return;
    if (code !== undefined) onCode(code);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

type Camera = 'opening' | 'open' | { readonly problem: string };

function useCamera(onCode: (code: string) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const [camera, setCamera] = useState<Camera>('opening');
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });
  useEffect(() => {
    const leaving = new AbortController();
    let stream: MediaStream | undefined;
    const end = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const start = async () => {
      stream = await openCamera();
      const screen = video.current;
      if (leaving.signal.aborted || !screen) return end();
      screen.srcObject = stream;
      await screen.play();
      setCamera('open');
      await look(
        screen,
        (code) => latest.current(code),
        () => leaving.signal.aborted,
      );
    };
    start().catch((error: unknown) => {
      end();
      if (!leaving.signal.aborted) setCamera({ problem: cameraProblem(error) });
    });
    return () => {
      leaving.abort();
      end();
    };
  }, []);
  return { video, camera };
}

export function ScanDialog({ onPayment, onClose }: ScanDialogProps) {
  return (
    <Dialog onClose={onClose} title={t('Scan a QR code')} size="sm">
      <Scanner onPayment={onPayment} />
    </Dialog>
  );
}

function Scanner({ onPayment }: Pick<ScanDialogProps, 'onPayment'>) {
  const [problem, setProblem] = useState<string>();
  const take = (code: string) => {
    const payment = readPayment(code);
    if (payment === undefined) setProblem(NO_ADDRESS);
    else onPayment(payment);
  };
  const { video, camera } = useCamera(take);
  const readFile = async (file: File | null) => {
    if (!file) return;
    setProblem(undefined);
    try {
      const picture = await createImageBitmap(file);
      const code = await (await codeReader())(picture);
      picture.close();
      if (code === undefined) setProblem(NO_CODE);
      else take(code);
    } catch {
      setProblem(NO_PICTURE);
    }
  };
  return (
    <div className={classes.scan}>
      <div className={classes.view} data-open={camera === 'open'}>
        <video ref={video} className={classes.video} muted playsInline aria-label={t('Camera')} />
        {camera === 'opening' && <Loading text={t('Opening the camera…')} />}
        {typeof camera === 'object' && <p className={classes.text}>{t(camera.problem)}</p>}
        {camera === 'open' && <span className={classes.frame} aria-hidden />}
      </div>
      {camera === 'open' && <p className={classes.hint}>{t('Hold the QR code of the address inside the frame.')}</p>}
      {problem && (
        <p className={classes.problem} role="alert">
          {t(problem)}
        </p>
      )}
      <FileButton accept="image/*" onChange={(file) => void readFile(file)}>
        {(button) => (
          <Button {...button} variant="default" fullWidth leftSection={<IconPhoto size={16} aria-hidden />}>
            {t('Choose a picture')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
