import APIManagers
import EstateNetwork
import Foundation
import HTTPTypes
import Interception
package import WebPages

/// The pages of the company's web site that the app shows in a web view.
package struct SitePages: Sendable {
  /// The app's own scheme, by which a web view loads the pages.
  package static let scheme = "estate-page"
  package static let site = Service.estateHost
  private static let packageURL = "https://\(site)/guide.pages"
  private static let keyName = "pages-public.pem"

  package let store: PagePackageStore
  private let pipeline: Pipeline
  private let account: @Sendable () -> String

  /// Returns the store in a server's state folder; `nil` if the server has no pages.
  ///
  /// An app in a store would have the public key in its code.
  static func store(in folder: URL) throws(AppConfigurationFault) -> PagePackageStore? {
    let path = folder.appending(path: keyName).path
    guard let key = FileManager.default.contents(atPath: path) else { return nil }
    do throws(PagePackageError) {
      return try PagePackageStore(
        folder: folder.path, site: site, trusting: [String(decoding: key, as: UTF8.self)])
    } catch {
      throw .pageKey(path)
    }
  }

  init?(_ configuration: AppConfiguration, over network: NetworkStack) {
    guard let store = configuration.pages else { return nil }
    self.store = store
    pipeline = network.pipeline
    account = { [session = network.session] in session.name ?? "" }
  }

  /// Returns a web view's handler.
  ///
  /// - Parameters:
  ///   - calls: The routes that the pages may call.
  ///   - frames: The origins that may frame the pages, for a web view that is a part of a page itself.
  package func handler(calls: PageCalling, frames: String) throws(PageHandlerError) -> PageHandler {
    var fields = PageHandler.securityFields
    fields[.contentSecurityPolicy] = fields[.contentSecurityPolicy]?
      .replacing("frame-ancestors 'none'", with: "frame-ancestors \(frames)")
    return try PageHandler(
      scheme: Self.scheme, sites: [Self.site], over: pipeline, packages: [store], calls: calls, fields: fields
    ) { [account] request in
      request.context.partition = account()
    }
  }

  /// Downloads the site's package and installs it if it is newer; without a network the present one stays.
  ///
  /// - Returns: What went wrong, for the log; `nil` if nothing did.
  package func update() async -> String? {
    do {
      let response = try await pipeline.send(Request(Self.packageURL))
      guard response.status == .ok else { return "The server answered \(response.status.code)." }
      try await store.install(response.body.collect(upTo: 64 << 20))
    } catch let error as PagePackageError where error.installedVersion != nil {
      return nil
    } catch {
      return "\(error)"
    }
    return nil
  }
}
