import { Controller, Get, Param, Query } from '@nestjs/common';
import { OrdersService } from './orders.service';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get(':article')
  order(@Param('article') article: string, @Query('count') count: string) {
    return this.orders.order(article, Number(count));
  }
}
