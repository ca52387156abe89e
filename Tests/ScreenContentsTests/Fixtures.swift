import Foundation
import Mediation
import RouteRedirects

@testable import ScreenContents

/// The routes that the screens of these tests lead to.
struct HomesModule: BusinessModule {
  let name = "Homes"

  func declare(into table: inout RouteTable) {
    let toServer = Exposure.link([.web(host: "api.estate.test")])
    let routes: [(RoutePattern, Exposure)] = [
      ("estate://home/{id:int}", toServer),
      ("estate://browse?kind={kind:house|condo?}&city={city?}&max={maximum:int?}", toServer),
      ("estate://notes/{id:int}?text={text}", toServer), ("estate://compare?homes={homes}", toServer),
      ("estate://logout", .app), ("estate://ledger", .moduleOnly), ("estate://pushed", .link([.push])),
    ]
    for (pattern, exposure) in routes {
      table.action(at: pattern, named: pattern.text, exposure: exposure) { _, _ in }
    }
  }
}

/// A map, as a kind of content that an app adds.
struct Pins: AppContent {
  static let kind = "pins"

  struct Pin: Codable, Equatable, Sendable {
    var name: String
    var home: Int
  }

  var pins: [Pin]
  var search: String?

  var actions: [ScreenAction] {
    pins.map { .show($0.name, "estate://home/\($0.home)") }
      + (search.map { [.show("", $0, fields: [.text("city", label: "")])] } ?? [])
  }
}

/// A drawing without actions.
struct Drawing: AppContent {
  static let kind = "drawing"
  var storeys: Int
  var actions: [ScreenAction] { [] }
}

extension ScreenDecoder {
  static let source = LinkSource.web(host: "api.estate.test")

  /// Reads documents of the server.
  static func ofServer(_ redirects: RedirectTables? = nil) throws -> ScreenDecoder {
    ScreenDecoder(
      routes: try Mediator(schemes: ["estate"], modules: [HomesModule()], redirector: redirects),
      origin: .external(source), kinds: [Pins.self, Drawing.self])
  }

  func screen(_ text: String) throws(ScreenError) -> ScreenContent { try screen(from: Array(text.utf8)) }

  /// Returns the fault of a document; nil if it has none.
  func fault(_ text: String) -> ScreenError? {
    do throws(ScreenError) {
      _ = try screen(text)
      return nil
    } catch {
      return error
    }
  }
}

/// A document of one block.
func document(_ block: String, version: Int = 1) -> String {
  #"{"version": \#(version), "title": "A", "blocks": [\#(block)]}"#
}

/// The bytes of a file in the folder Golden.
func golden(_ name: String) throws -> [UInt8] {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
  return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
}
