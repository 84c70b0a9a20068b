/** Finds what a chart has drawn; runs in the page. */

/** The width of the widest candle that is drawn inside, as a share of the width of its canvas. */
export function candleShare(panel: Element): number {
  const style = getComputedStyle(document.documentElement);
  const brush = document.createElement('canvas').getContext('2d');
  if (!brush) throw new Error('This browser draws nothing');
  const colours = new Set(
    ['--up', '--down'].map((name) => {
      brush.fillStyle = style.getPropertyValue(name).trim();
      brush.fillRect(0, 0, 1, 1);
      return new Uint32Array(brush.getImageData(0, 0, 1, 1).data.buffer)[0];
    }),
  );
  // The chart's own canvases: those of its axes are narrow, and have the price in a box of such a colour.
  const canvases = [...panel.querySelectorAll('canvas')];
  const widest = Math.max(...canvases.map(({ width }) => width));
  let share = 0;
  for (const canvas of canvases.filter(({ width, height }) => width * 2 > widest && height > 0)) {
    const { width, height } = canvas;
    const bytes = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
    // One number for each pixel.
    const pixels = bytes && new Uint32Array(bytes.buffer);
    for (let y = 0; pixels && y < height; y += 1) {
      let length = 0;
      for (let x = 0; x < width; x += 1) {
        length = colours.has(pixels[y * width + x]) ? length + 1 : 0;
        share = Math.max(share, length / width);
      }
    }
  }
  return share;
}

/**
 * The rows of pixels, of every canvas inside, that hold a dashed line in a colour of direction: dashes of three pixels,
 * three apart, along a third of the width at least.
 */
export function dashedRows(panel: Element): number[] {
  const style = getComputedStyle(document.documentElement);
  const brush = document.createElement('canvas').getContext('2d');
  if (!brush) throw new Error('This browser draws nothing');
  const colours = ['--up-fill', '--down-fill', '--text-3'].map((name) => {
    brush.fillStyle = style.getPropertyValue(name).trim();
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data;
    return { red, green, blue };
  });
  const found: number[] = [];
  for (const canvas of panel.querySelectorAll('canvas')) {
    const { width, height } = canvas;
    const pixels = width * height === 0 ? undefined : canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
    for (let y = 0; pixels && y < height; y += 1) {
      for (const { red, green, blue } of colours) {
        let dashes = 0;
        let length = 0;
        let last = 0;
        for (let x = 0; x <= width; x += 1) {
          const at = (y * width + x) * 4;
          const isDrawn =
            x < width &&
            (pixels[at + 3] ?? 0) > 200 &&
            Math.abs((pixels[at] ?? 0) - red) < 12 &&
            Math.abs((pixels[at + 1] ?? 0) - green) < 12 &&
            Math.abs((pixels[at + 2] ?? 0) - blue) < 12;
          if (isDrawn) length += 1;
          else {
            // Three apart: letters of the axis have strokes of three pixels too.
            if (length === 3 && x - last === 6) dashes += 1;
            if (length > 0) last = x;
            length = 0;
          }
        }
        if (dashes * 6 > width / 3) found.push(y);
      }
    }
  }
  return found;
}
