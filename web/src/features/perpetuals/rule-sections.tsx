/** Each rule in words, as a formula, and with what it comes to for the reader's example. */
import type { ReactNode } from 'react';
import { divide, toText } from '../../lib/decimal.ts';
import { formatDecimal, formatPercent, formatShare, formatSigned } from '../../lib/format.ts';
import { priceText, usdt } from '../../lib/futures/terms.ts';
import { t } from '../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { Facts } from '../../ui/facts.tsx';
import type { TierPart, Worked } from './example.ts';
import type { Perpetual } from './frame.tsx';
import classes from './perpetuals.module.css';
import type { ExampleState } from './use-example.ts';

const MONEY_DIGITS = 4;
const PPM_PER_PERCENT = 10_000;
const BILLIONTHS = 9;

const money = (units: bigint) => `${formatDecimal(usdt(units), MONEY_DIGITS)} USDT`;
const signed = (units: bigint) => `${formatSigned(usdt(units), MONEY_DIGITS)} USDT`;
const whole = (units: bigint) => formatDecimal(usdt(units), 0);
/** Parts per billion as a percentage. */
const ratePercent = (ppb: bigint) => formatPercent({ units: ppb, scale: BILLIONTHS - 2 }, 5);

interface RuleProps {
  readonly title: string;
  readonly text: string;
  readonly formula: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

function Rule({ title, text, formula, children, isWide = false }: RuleProps) {
  return (
    <section className={isWide ? `${classes.section} ${classes.wide}` : classes.section} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      <p className={classes.formula}>{formula}</p>
      {children}
    </section>
  );
}

interface SectionsProps {
  readonly perpetual: Perpetual;
  readonly state: ExampleState;
}

export function RuleSections({ perpetual, state }: SectionsProps) {
  const { worked } = state;
  return (
    <div className={classes.rules}>
      <MarkRule perpetual={perpetual} />
      <FundingRule perpetual={perpetual} state={state} />
      {worked && (
        <>
          <MarginRule worked={worked} />
          <ProfitRule worked={worked} />
          <MaintenanceRule worked={worked} />
          <LiquidationRule worked={worked} state={state} />
          <RankRule worked={worked} />
        </>
      )}
    </div>
  );
}

function MarkRule({ perpetual }: { readonly perpetual: Perpetual }) {
  const price = (value: string | null) => (value === null ? '–' : formatDecimal(value, perpetual.price_scale));
  return (
    <Rule
      title={t('Index and mark price')}
      text={t(
        'The index is what the coin costs on other markets. Positions are valued and liquidated by the mark price, which no single trade can move far: it stays near the index. Each second of the book counts for no more than that. An order that may open something ends where the mark price has passed it by more than the margin of the highest leverage.',
      )}
      formula={t(
        'mark = median(last price, index × (1 + rate × time left ÷ interval), index + 30 s mean of (mid − index))',
      )}
    >
      <Facts
        look="rows"
        facts={[
          { name: t('Index price'), value: price(perpetual.index_price) },
          { name: t('Mark price'), value: price(perpetual.mark_price) },
          {
            name: t('Farthest from the index'),
            value: formatShare(Number(perpetual.mark_clamp_percent), 2),
          },
        ]}
      />
    </Rule>
  );
}

function FundingRule({ perpetual, state }: SectionsProps) {
  const { funding } = perpetual;
  const { worked, ratePpb } = state;
  const percent = (value: string) => formatShare(Number(value), 4);
  return (
    <Rule
      title={t('Funding', { context: 'rate' })}
      text={t(
        'The premium of the book over the index is measured each minute, as far as the cap needs, and averaged over an hour at least. At the end of an interval longs pay shorts the rate of their value, or receive it where it is below zero. Payments are rounded up to the smallest unit.',
      )}
      formula={t('rate = clamp(premium + clamp(interest − premium, ±damp), ±cap) · payment = quantity × mark × rate')}
    >
      <Facts
        look="rows"
        facts={[
          { name: t('Interval', { context: 'funding' }), value: t('{{hours}} h', { hours: funding.interval_hours }) },
          { name: t('Interest'), value: percent(funding.interest_percent) },
          { name: t('Damp'), value: percent(funding.damp_percent) },
          { name: t('Cap'), value: percent(funding.cap_percent) },
          { name: t('Rate of your premium'), value: ratePercent(ratePpb), strong: true },
          ...(worked
            ? [
                {
                  name: worked.payment < 0n ? t('You receive') : t('You pay'),
                  value: money(worked.payment < 0n ? -worked.payment : worked.payment),
                  strong: true,
                },
              ]
            : []),
        ]}
      />
    </Rule>
  );
}

function MarginRule({ worked }: { readonly worked: Worked }) {
  return (
    <Rule
      title={t('Initial margin')}
      text={t(
        'To open a position you need a part of its value, rounded up to the smallest unit, and the fee. The larger a position, the less leverage it may have.',
      )}
      formula={t('initial margin = price × quantity ÷ leverage')}
    >
      <Facts
        look="rows"
        facts={[
          { name: t('Value at the opening price'), value: money(worked.cost) },
          { name: t('Initial margin'), value: money(worked.initial), strong: true },
          { name: t('Margin with what was added'), value: money(worked.margin) },
          { name: t('Highest leverage at this value'), value: `x${worked.tier.maximumLeverage}` },
        ]}
      />
    </Rule>
  );
}

function ProfitRule({ worked }: { readonly worked: Worked }) {
  const ratio = divide(usdt(worked.profit * 100n), usdt(worked.initial), 2, 'nearest');
  return (
    <Rule
      title={t('Income')}
      text={t('What closing at the mark price would bring, before its fee and the funding that is owed.')}
      formula={t('income = ±(mark − opening price) × quantity')}
    >
      <Facts
        look="rows"
        facts={[
          { name: t('Value at the mark price'), value: money(worked.value) },
          { name: t('Income'), value: signed(worked.profit), strong: true },
          { name: t('Rate of return'), value: ratio ? formatPercent(ratio) : '–' },
        ]}
      />
    </Rule>
  );
}

const tierColumns = (): readonly ListColumn<TierPart>[] => [
  {
    id: 'tier',
    title: t('Part of the value'),
    card: 'head',
    cell: ({ from, to }) => (to === undefined ? `> ${whole(from)}` : `${whole(from)} – ${whole(to)}`),
  },
  { id: 'leverage', title: t('Highest leverage'), align: 'right', cell: (tier) => `x${tier.maximumLeverage}` },
  {
    id: 'rate',
    title: t('Rate'),
    align: 'right',
    cell: ({ maintenancePpm }) => formatShare(maintenancePpm / PPM_PER_PERCENT, 2),
  },
  { id: 'part', title: t('Your part (USDT)'), align: 'right', cell: ({ part }) => formatDecimal(usdt(part), 2) },
];

function MaintenanceRule({ worked }: { readonly worked: Worked }) {
  return (
    <Rule
      isWide
      title={t('Maintenance margin by tier')}
      text={t(
        'A position must keep a part of its value at the mark price: each part of the value at the rate of the tier that it lies in. The fee of closing it is kept beside that.',
      )}
      formula={t('required = ⌈ Σ (part of the value in a tier × rate of the tier) + value × taker fee ⌉')}
    >
      <RowList
        label={t('Maintenance margin by tier')}
        columns={tierColumns()}
        rows={worked.parts}
        rowKey={({ from }) => String(from)}
      />
      <Facts
        look="rows"
        className={classes.after}
        facts={[
          { name: t('Maintenance margin'), value: money(worked.maintenance) },
          { name: t('Fee of closing'), value: money(worked.closingFee) },
          { name: t('Required, rounded up once'), value: money(worked.required), strong: true },
        ]}
      />
    </Rule>
  );
}

function LiquidationRule({ worked, state }: { readonly worked: Worked; readonly state: ExampleState }) {
  const price = (ticks: number | undefined) =>
    ticks === undefined ? t('No price') : formatDecimal(priceText(state.market, ticks), state.market.priceScale);
  const has = worked.margin + worked.profit;
  return (
    <Rule
      title={t('Liquidation')}
      text={t(
        'A position is liquidated at the first mark price at which its equity is no more than its maintenance margin. It is closed tier by tier, never worse than its bankruptcy price; what a better price leaves is yours.',
      )}
      formula={t('margin + income ≤ required')}
    >
      <Facts
        look="rows"
        facts={[
          { name: t('Equity'), value: money(has) },
          { name: t('Maintenance margin'), value: money(worked.required) },
          { name: t('Liquidation price'), value: price(worked.liquidationPrice), strong: true },
          { name: t('Bankruptcy price'), value: price(worked.bankruptcyPrice) },
          { name: t('At this mark price'), value: worked.isLiquidated ? t('It is liquidated') : t('It stays open') },
        ]}
      />
    </Rule>
  );
}

function RankRule({ worked }: { readonly worked: Worked }) {
  return (
    <Rule
      title={t('Auto-deleveraging')}
      text={t(
        'The part of a liquidated position that finds no order is closed against positions of the other side, the highest rank first: at the bankruptcy price, or at the mark price where that is beyond it, as far as the insurance fund can pay the difference.',
      )}
      formula={t(
        'rank = income ÷ cost × value ÷ (margin + income) · for a loss: income ÷ cost × (margin + income) ÷ value',
      )}
    >
      <Facts
        look="rows"
        facts={[
          {
            name: t('Rank of the position'),
            value: formatSigned(toText({ units: worked.rank, scale: BILLIONTHS }), 4),
            strong: true,
          },
          {
            name: t('What it means'),
            value: worked.rank > 0n ? t('The higher, the earlier') : t('After every position that has won'),
          },
        ]}
      />
    </Rule>
  );
}
