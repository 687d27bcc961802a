function settle(order {
  return order;
}
