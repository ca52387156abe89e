import ArgumentParser
import Foundation
import Measuring

extension SideBySide {
  struct Prices: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints what each part of an app's chain adds to a request.")
    @OptionGroup var setting: Setting
    @Flag(help: "One count over the wire instead of three.") var quick = false
    @Option(help: "A Markdown file whose table of prices is replaced.") var document: String?

    func run() throws {
      // Fail early, because counting takes long.
      let previous = try document.map { try String(contentsOfFile: $0, encoding: .utf8) }
      let bench = try Bench(programs: setting.built, folder: setting.folder, isQuick: quick)
      let bare = try price("no chain", bench, .none)
      let whole = try price("the whole chain", bench, .whole)
      let parts = try AppChainPart.allCases.map { part in
        (part: part.rawValue, price: try price("without \(part)", bench, .without(part)))
      }
      let table = PriceTable(whole: whole, without: parts, bare: bare)
      print(table, terminator: "")
      guard let document, let previous else { return }
      guard let text = table.replaced(in: previous) else {
        throw Trouble("\(document) has no table of prices to replace")
      }
      try text.write(toFile: document, atomically: true, encoding: .utf8)
    }

    private func price(_ name: String, _ bench: Bench, _ chain: PricedChain) throws -> PriceTable.Price {
      Pace.warn("counting \(name)")
      return try bench.price(of: chain)
    }
  }
}

/// A chain whose requests are counted.
enum PricedChain {
  case none
  case whole
  case without(AppChainPart)
}

/// Counts what a request takes through the chain of an app.
extension Bench {
  func price(of chain: PricedChain) throws -> PriceTable.Price {
    switch chain {
    case .none:
      try PriceTable.Price(
        stub: PriceTable.Cost(
          instructions: instructions(.ours, ChainShape(name: "none")), objects: chainObjects("none")),
        wire: wireCost(.ours, []), headerBytes: headerBytes(["--bare"]))
    case .whole: try price(without: nil)
    case .without(let part): try price(without: part)
    }
  }

  private func price(without part: AppChainPart?) throws -> PriceTable.Price {
    try PriceTable.Price(
      stub: PriceTable.Cost(
        instructions: appChainInstructions(without: part), objects: appChainObjects(without: part)),
      wire: wireCost(.oursAppChain, Programs.appChain(without: part)),
      headerBytes: headerBytes(part.map { ["--leaving-out", $0.rawValue] } ?? []))
  }

  /// Returns the cost over the wire, of which the instructions are the median of three counts: they vary with
  /// the interleaving of the threads.
  private func wireCost(_ host: Peer, _ options: [String]) throws -> PriceTable.Cost {
    let shape = Catalogue.h1
    func load(_ requests: Int, warmUp: Int) throws -> [String] {
      try arguments(shape, requests: requests, warmUp: warmUp, host: host.host) + options
    }
    var counts = Samples()
    for _ in 0..<(isQuick ? 1 : 3) {
      counts.add(
        try instructions.count(short: 500, long: 1_500) {
          try programs.ours("wire", load($0, warmUp: 64))
        })
    }
    return PriceTable.Cost(
      instructions: counts.median ?? .nan,
      objects: try blocks(programs.probe("wire", load(2_000, warmUp: 0))))
  }

  private func headerBytes(_ options: [String]) throws -> Double {
    guard let bytes = try ResultLine(in: programs.ours("head", options).run().output)?.number("header-bytes")
    else { throw Trouble("a program printed no bytes of header") }
    return bytes
  }
}
