/** What a cold machine has signed, brought back as a file. */
import { Button, FileButton } from '@mantine/core';
import { useAct } from '../use-act.ts';

interface UploadButtonProps {
  readonly text: string;
  /** Where the text does not say of what the file is. */
  readonly label?: string;
  /** Kinds of files, as browsers name them. */
  readonly accept: string;
  readonly upload: (file: File) => Promise<unknown>;
}

export function UploadButton({ text, label, accept, upload }: UploadButtonProps) {
  const { isPending, mutate } = useAct(upload);
  return (
    <FileButton accept={accept} onChange={(file) => file && mutate(file)}>
      {(props) => (
        <Button {...props} size="compact-xs" variant="default" loading={isPending} aria-label={label}>
          {text}
        </Button>
      )}
    </FileButton>
  );
}
