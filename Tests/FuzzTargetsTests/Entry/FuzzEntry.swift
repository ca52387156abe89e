import Foundation

/// libFuzzer's main loop; the sanitizer links it.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The program that Scripts/fuzz runs.
///
/// With the variable `SWITCHYARD_FUZZ_TARGET` it is libFuzzer, whose arguments are its own: it starts itself
/// again with others, to minimize an input. Without it, the first argument is one of the commands below.
@main
enum FuzzEntry {
  private static let target: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["SWITCHYARD_FUZZ_TARGET"]
    return name.flatMap { name in FuzzTarget.all.first { $0.name == name } }
  }()

  static func main() {
    if target != nil { exit(fuzz()) }
    let arguments = CommandLine.arguments.dropFirst()
    let named = arguments.dropFirst().first.flatMap { name in FuzzTarget.all.first { $0.name == name } }
    switch (arguments.first, named) {
    case ("list", _): for target in FuzzTarget.all { print("\(target.name)\t\(target.reads)") }
    case ("length", let target?): print(target.maximumLength)
    case ("prepare", let target?): prepare(target, in: arguments.dropFirst(2).first ?? ".")
    case ("growth", let target?): exit(measureGrowth(of: target, in: Array(arguments.dropFirst(2))))
    default:
      print("usage: fuzz-parsers list | length TARGET | prepare TARGET FOLDER | growth TARGET FILE...")
      exit(64)
    }
  }

  private static func fuzz() -> CInt {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    return runFuzzer(&count, &arguments) { bytes, count in
      FuzzEntry.run(UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
  }

  private static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let target else { return }
    do {
      try target.check(Array(bytes))
    } catch {
      FileHandle.standardError.write(Data("\nBROKEN LAW of \(target.name): \(error)\n".utf8))
      abort()
    }
  }

  /// Writes the seeds and the words of a target, in the form that libFuzzer reads.
  private static func prepare(_ target: FuzzTarget, in folder: String) {
    let folder = URL(fileURLWithPath: folder)
    do {
      for (index, seed) in target.seeds.enumerated() {
        try Data(seed).write(to: folder.appendingPathComponent("seeds/\(index)"))
      }
      let words = target.words.map { word in
        "\"" + escaped(word.utf8).replacing("\"", with: "\\\"") + "\"\n"
      }
      try Data(words.joined().utf8).write(to: folder.appendingPathComponent("words"))
    } catch {
      print("fuzz-parsers: \(error)")
      exit(74)
    }
  }

  private static func measureGrowth(of target: FuzzTarget, in paths: [String]) -> CInt {
    var slowest = Growth.Measurement.none
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { continue }
      for input in Growth.stretches(of: Array(data)) {
        let measured = Growth.measure(target, input)
        slowest = max(slowest, measured)
        if measured.isTooSteep {
          print("BROKEN LAW of \(target.name): \(Growth.law) \(measured)\ninput: \(escaped(input)), repeated")
          return 1
        }
      }
    }
    print("growth: \(paths.count) inputs, each repeated to \(Growth.long) bytes; the steepest: \(slowest)")
    return 0
  }
}
