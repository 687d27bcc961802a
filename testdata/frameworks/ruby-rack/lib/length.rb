class Length
  def call(env)
    name = Rack::Utils.parse_query(env["QUERY_STRING"]).fetch("name", "")
    text = "#{name}: #{name.length}"
    [200, {}, [text]] # @mark length
  end
end
