import ArgumentParser
import MultiLoad
import PeerReporting

extension AllocationProbe {
  struct CWire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "c-wire", abstract: "Measures the C program's loop.")
    @OptionGroup var load: LoadOptions

    func run() async throws {
      try await AllocationProbe.count(requests: load.requests) { requests in
        var result = multi_load_result()
        let status = load.url.withCString { url in
          (load.authorities ?? "").withCString { authorities in
            var order = multi_load_order(
              url: url, authority_file: load.authorities == nil ? nil : authorities, accept_encoding: nil,
              http_version: 0, in_flight: load.inFlight, warm_up: load.inFlight, requests: requests)
            return multi_load_run(&order, &result)
          }
        }
        guard status == 0, result.failed == 0 else { throw ValidationError("the C program's load failed") }
      }
    }
  }
}
