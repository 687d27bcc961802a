RSpec.describe Roman do
  it "writes a year" do
    expect(Roman.write(1994)).to eq "MCMXCIV"
  end

  it "writes nothing for nothing" do
    expect(Roman.write(0)).to eq ""
  end
end
