import BodyFormats
import Downloads
import HTTPTypes
import Interception

// The engine of downloads and streamed responses, which clients and managers share.
extension APIClient {
  /// The maximum number of bytes of a rejected response's content that become part of the error.
  private static var rejectedLimit: Int { 1 << 20 }

  /// Prepares a request whose response is not collected in memory, and which therefore no cache stores.
  func prepareTransfer<A: API>(_ api: A, _ params: inout A.Params) throws(ParamsError) -> Request {
    var request = try prepare(api, &params, cacheMode: nil).request
    request.context.cacheRule = .off
    request.context.cacheTags = []
    request.context.storageCheck = nil
    request.options.delivery = .streamed
    request.options.timeouts.whole = nil
    return request
  }

  /// Downloads the content of a response to a file.
  func download(
    _ request: Request, of details: EndpointDescription, to path: String, identity: String?,
    reportingTo meter: TransferMeter?
  ) async throws(APIError) -> FileDownload.Outcome {
    do throws(NetworkError) {
      let download = FileDownload(request, to: path, identity: identity)
      return try await run(download, over: dispatcher, reportingTo: meter)
    } catch {
      if case DownloadFault.status(let head)? = error.underlying {
        let response = APIResponse(
          api: details.identity, request: request.id, status: head.status, headerFields: head.headerFields,
          bytes: [])
        throw rejection(of: response, by: details)
      }
      throw APIError(error, details.identity, request: request.id, isOffline: false)
    }
  }

  private func run(
    _ download: FileDownload, over dispatcher: some Dispatcher, reportingTo meter: TransferMeter?
  ) async throws(NetworkError) -> FileDownload.Outcome {
    try await download.run(over: dispatcher, reportingTo: meter)
  }

  /// Returns a response with an accepted status, as soon as its head has arrived.
  func stream<A: API>(
    _ request: Request, of api: A, reportingTo meter: TransferMeter?
  ) async throws(APIError) -> Response {
    let details = A.endpoint.details
    let rejected: APIResponse
    do throws(NetworkError) {
      let response: Response
      if let meter {
        response = try await dispatcher.dispatch(request, reportingTo: meter)
      } else {
        response = try await dispatcher.dispatch(request)
      }
      if details.values.acceptedStatuses.contains(response.status.code) { return response }
      rejected = APIResponse(
        api: details.identity, request: request.id, status: response.status,
        headerFields: response.head.headerFields,
        bytes: await response.bytes(ofFirst: Self.rejectedLimit), exchange: response.exchange)
    } catch {
      throw APIError(error, details.identity, request: request.id, isOffline: false)
    }
    throw api.withFailureBody(rejection(of: rejected, by: details), details)
  }

  /// Returns the error of a response whose status is not accepted, as the service's rule decides.
  private func rejection(of response: APIResponse, by details: EndpointDescription) -> APIError {
    let error = details.rejection(of: response) { _ throws(ResponseError) in }
    return error ?? APIError(unacceptedStatusOf: response)
  }
}
