# frozen_string_literal: true

# Has the program that this interpreter is about to run recorded: ruby -r start.rb PROGRAM,
# with AIDB_RECORD naming the directory of the recording. Its children are not recorded.
if (records = ENV.delete("AIDB_RECORD"))
  ENV["RUBYOPT"] = ENV["RUBYOPT"].sub(/-r\S*start\.rb ?/, "").strip if ENV["RUBYOPT"]
  ENV.delete("RUBYOPT") if ENV["RUBYOPT"] == ""
  %w[json core show whole notes fibers program values calls nearest source wanted stacks places sparse writes follow judged condition first framed failures recorder].each do |part|
    require_relative part
  end
  wish = AidbRecorder::Json.parse(File.read(File.join(records, "wish.json"), encoding: "UTF-8"))
  if (notes = AidbRecorder::Notes.open(records, wish["text"]))
    recorder = AidbRecorder::Recorder.new(notes, wish)
    exit!(0) unless recorder.possible?
    recorder.start
  end
end
