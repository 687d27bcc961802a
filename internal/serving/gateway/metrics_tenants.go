package gateway

import (
	"maps"
	"slices"
	"strings"
	"sync"

	dto "github.com/prometheus/client_model/go"
)

// TenantMetrics are the metrics of each tenant of a gateway by itself: tenants know nothing of each
// other. Those of the tenant without a name, which is the only one of most gateways, have the numbers of
// this process, too.
type TenantMetrics struct {
	mu sync.Mutex // guards the field below
	of map[string]*Metrics
}

// NewTenantMetrics makes them for the tenant without a name.
func NewTenantMetrics() *TenantMetrics {
	return &TenantMetrics{of: map[string]*Metrics{"": NewMetrics()}}
}

// Of are those of a tenant.
func (t *TenantMetrics) Of(tenant string) *Metrics {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[tenant] == nil {
		t.of[tenant] = newMetrics()
	}
	return t.of[tenant]
}

// AreSeveral says that there are tenants.
func (t *TenantMetrics) AreSeveral() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.of) > 1
}

// Gather gives the metrics of all tenants: those of a tenant with a name have it as a label.
func (t *TenantMetrics) Gather() ([]*dto.MetricFamily, error) {
	t.mu.Lock()
	of := maps.Clone(t.of)
	t.mu.Unlock()
	all := map[string]*dto.MetricFamily{}
	for _, tenant := range slices.Sorted(maps.Keys(of)) {
		families, err := of[tenant].registry.Gather()
		if err != nil {
			return nil, err
		}
		for _, family := range families {
			for _, m := range family.Metric {
				label(m, tenant)
			}
			if one := all[family.GetName()]; one != nil {
				one.Metric = append(one.Metric, family.Metric...)
			} else {
				all[family.GetName()] = family
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *dto.MetricFamily) int { return strings.Compare(a.GetName(), b.GetName()) }), nil
}

// label adds the label of a tenant that has a name.
func label(m *dto.Metric, tenant string) {
	if tenant == "" {
		return
	}
	name := "tenant"
	m.Label = append(m.Label, &dto.LabelPair{Name: &name, Value: &tenant})
	slices.SortFunc(m.Label, func(a, b *dto.LabelPair) int { return strings.Compare(a.GetName(), b.GetName()) })
}
