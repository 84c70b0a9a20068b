import { addFavorite } from '@cambist/contract/markets.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api-client.ts';

export function useToggleFavorite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (coinId: number) => call(addFavorite, { query: { coin_id: coinId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['pairs'] }),
  });
}
