// Package main_test has a TestMain that keeps something while the tests run, and never ends it.
package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"testing"
)

var server *httptest.Server

func TestMain(m *testing.M) {
	server = httptest.NewServer(http.NotFoundHandler())
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt)
	go func() { <-stopped }()
	os.Exit(m.Run())
}

func TestCleanWithMain(t *testing.T) {
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestLeavesWithMain(t *testing.T) {
	go func() { select {} }() // @mark left
}
