/** What a chart is told, with the widget's own defaults and complaints of the specification. */

export interface WidgetInput {
  readonly datafeed: unknown;
  readonly symbol?: string | undefined;
  /** Show the chart that was open last, where no symbol is named. */
  readonly load_last_chart?: boolean | undefined;
  readonly timezone?: string | undefined;
  readonly locale?: string | undefined;
}

export interface WidgetOptions {
  readonly timezone: string;
  /** As KLineChart names it. */
  readonly locale: string;
}

/** BCP 47 tags of the product that the chart's legend speaks. */
const LOCALES: Readonly<Record<string, string>> = { en: 'en-US', 'zh-Hans': 'zh-CN' };

export function widgetOptions(input: WidgetInput): WidgetOptions {
  if (!input.datafeed) throw new Error('Datafeed is not defined');
  if (!input.symbol && !input.load_last_chart) {
    throw new Error('Symbol is not defined: either symbol or load_last_chart option must be set');
  }
  return {
    timezone: input.timezone ?? 'Etc/UTC',
    locale: LOCALES[input.locale ?? 'en'] ?? 'en-US',
  };
}

export const CHUNK_TIMEOUT_MS = 120_000;

/** Loads a part of the program; one that does not come is a `ChunkLoadError`. */
export function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const failed = (cause: unknown) =>
    Object.assign(new Error('A part of the chart could not be loaded', { cause }), { name: 'ChunkLoadError' });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failed(new Error('timeout'))), CHUNK_TIMEOUT_MS);
    load()
      .then(resolve, (error: unknown) => reject(failed(error)))
      .finally(() => clearTimeout(timer));
  });
}
