/** Figures of marketing. Each is a sample until the operator states a figure. */
import type { StoredContent } from '@cambist/contract/content.ts';

export const claims: StoredContent<'claims'> = {
  items: [
    {
      id: 'coins',
      figure: { en: '350+' },
      text: {
        en: 'coins',
        cn: '種幣種',
        zhHans: '种币种',
        german: 'Coins',
        ja: '銘柄',
        spanish: 'criptomonedas',
        vi: 'loại coin',
      },
      sample: true,
    },
    {
      id: 'users',
      figure: {
        en: '140 million',
        cn: '1.4 億',
        zhHans: '1.4 亿',
        german: '140 Millionen',
        ja: '1億4,000万人',
        spanish: '140 millones',
        vi: '140 triệu',
      },
      text: {
        en: 'users',
        cn: '名使用者',
        zhHans: '名用户',
        german: 'Nutzer',
        ja: 'のユーザー',
        spanish: 'de usuarios',
        vi: 'người dùng',
      },
      sample: true,
    },
    {
      id: 'earnable',
      figure: { en: '180+' },
      text: {
        en: 'coins earnable',
        cn: '種幣種可賺取收益',
        zhHans: '种币种可赚取收益',
        german: 'Coins zum Verdienen',
        ja: '銘柄で運用可能',
        spanish: 'criptomonedas con rendimiento',
        vi: 'loại coin có thể sinh lời',
      },
      sample: true,
    },
    {
      id: 'minimum',
      figure: {
        en: '1 USD',
        cn: '1 美元',
        zhHans: '1 美元',
        german: '1 USD',
        ja: '1米ドル',
        spanish: '1 USD',
        vi: '1 USD',
      },
      text: {
        en: 'minimum investment',
        cn: '最低投資額',
        zhHans: '最低投资额',
        german: 'Mindestanlage',
        ja: 'からの投資',
        spanish: 'de inversión mínima',
        vi: 'đầu tư tối thiểu',
      },
      sample: true,
    },
    {
      id: 'counter',
      figure: '',
      text: {
        en: 'users have joined',
        cn: '名使用者已加入',
        zhHans: '名用户已加入',
        german: 'Nutzer sind dabei',
        ja: '人が参加しています',
        spanish: 'usuarios ya se han unido',
        vi: 'người dùng đã tham gia',
      },
      sample: true,
    },
  ],
};
