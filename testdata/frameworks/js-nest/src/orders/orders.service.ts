import { Injectable } from '@nestjs/common';

const prices: Record<string, number> = { tea: 4, cup: 9 };

@Injectable()
export class OrdersService {
  order(article: string, count: number) {
    const total = prices[article] * count;
    return { article, count, total }; // @mark order
  }
}
