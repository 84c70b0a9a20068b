/** Indicators by their full names, beside which the chart's short ones stand. */
import { msg, t } from '../../../lib/i18n.ts';

const NAMES: Readonly<Record<string, string>> = {
  VOL: msg('Volume'),
  MA: msg('Moving average'),
  EMA: msg('Exponential moving average'),
  SMA: msg('Smoothed moving average'),
  VWAP: msg('Volume-weighted average price'),
  BOLL: msg('Bollinger Bands'),
  ICHIMOKU: msg('Ichimoku Cloud'),
  BBI: msg('Bull and bear index'),
  SAR: msg('Parabolic stop and reverse'),
  AVP: msg('Average price since the first candle'),
  MACD: msg('Moving average convergence divergence'),
  RSI: msg('Relative strength index'),
  ATR: msg('Average true range'),
  KDJ: msg('Stochastic oscillator'),
  WR: msg('Williams percent range'),
  CCI: msg('Commodity channel index'),
  DMI: msg('Directional movement index'),
  DMA: msg('Difference of moving averages'),
  OBV: msg('On-balance volume'),
  TRIX: msg('Triple exponential average'),
  ROC: msg('Rate of change'),
  MTM: msg('Momentum'),
  AO: msg('Awesome oscillator'),
  BIAS: msg('Distance from the moving average'),
  BRAR: msg('Buying and selling sentiment'),
  CR: msg('Price energy'),
  EMV: msg('Ease of movement'),
  PSY: msg('Psychological line'),
  PVT: msg('Price and volume trend'),
  VR: msg('Volume ratio'),
};

export const indicatorName = (name: string): string => t(NAMES[name] ?? name);
