# frozen_string_literal: true

module AIDB
  # Tests are what is known of the frameworks that run tests.
  module Tests
    def self.sides(_error) = {}
  end
end
